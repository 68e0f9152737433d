/// Eight bytes or more that the transcripts of one person have in common in two containers, and nobody else's have.
struct CommonParts {
    /// The names of what had such a part, for each person.
    private(set) var found: [(person: Int, name: String)] = []
    /// How many different parts were compared.
    private(set) var count = 0

    /// The person who has a part; nobody if several have it.
    private typealias Owners = [UInt64: Int]

    init(_ here: [Transcript], _ there: [Transcript]) {
        let owners = CommonParts.owners(here)
        let ownersThere = CommonParts.owners(there)
        count = owners.count + ownersThere.count
        var seen: Set<String> = []
        for (person, transcript) in here.enumerated() {
            for entry in transcript.entries {
                CommonParts.forEachPart(of: entry.bytes) { part in
                    guard owners[part] == person, ownersThere[part] == person else { return }
                    if seen.insert("\(person) \(entry.name)").inserted { found.append((person, entry.name)) }
                }
            }
        }
    }

    private static func owners(_ transcripts: [Transcript]) -> Owners {
        var owners: Owners = [:]
        for (person, transcript) in transcripts.enumerated() {
            for entry in transcript.entries {
                forEachPart(of: entry.bytes) { part in
                    owners[part] = owners[part].map { $0 == person ? person : -1 } ?? person
                }
            }
        }
        return owners
    }

    private static func forEachPart(of bytes: [UInt8], _ body: (UInt64) -> Void) {
        bytes.withUnsafeBytes { bytes in
            guard bytes.count >= 8 else { return }
            for offset in 0...bytes.count - 8 { body(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) }
        }
    }
}
