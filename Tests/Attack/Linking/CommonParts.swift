/// Sequences of eight bytes or more that one person's transcripts in two containers share, and no other person's transcripts have.
struct CommonParts {
    /// For each person, the names of the entries that have such a part.
    private(set) var found: [(person: Int, name: String)] = []
    /// How many different parts were compared.
    let count: Int

    /// How many people have one.
    var people: Int { Set(found.map(\.person)).count }

    /// Whether parts count too that begin with bytes which are the same for everybody.
    ///
    /// Such parts are needed to find short values, such as a number. But if only one byte of a part differs between people, two
    /// containers may have the same part by chance.
    enum Beginnings { case counted, leftOut }

    private typealias Entry = (name: String, bytes: ArraySlice<UInt8>)
    /// The person who has a part; nobody if several have it.
    private typealias Owners = [UInt64: Int]

    init(_ here: [Transcript], _ there: [Transcript], _ beginnings: Beginnings) {
        let common = beginnings == .counted ? [:] : CommonParts.commonBeginnings(here + there)
        let entries = { (transcript: Transcript) -> [Entry] in
            transcript.entries.map { ($0.name, $0.bytes.dropFirst(common[$0.name] ?? 0)) }
        }
        let (mine, theirs) = (here.map(entries), there.map(entries))
        let owners = CommonParts.owners(mine)
        let ownersThere = CommonParts.owners(theirs)
        count = owners.count + ownersThere.count
        var seen: Set<String> = []
        for (person, transcript) in mine.enumerated() {
            for entry in transcript {
                CommonParts.forEachPart(of: entry.bytes) { part in
                    guard owners[part] == person, ownersThere[part] == person else { return }
                    if seen.insert("\(person) \(entry.name)").inserted { found.append((person, entry.name)) }
                }
            }
        }
    }

    /// For each name, how many bytes are the same in all transcripts.
    private static func commonBeginnings(_ transcripts: [Transcript]) -> [String: Int] {
        var first: [String: [UInt8]] = [:]
        var lengths: [String: Int] = [:]
        for entry in transcripts.flatMap(\.entries) {
            let known = first[entry.name] ?? entry.bytes
            first[entry.name] = known
            let same = zip(known, entry.bytes).prefix { $0 == $1 }.count
            lengths[entry.name] = min(lengths[entry.name] ?? same, same)
        }
        return lengths
    }

    private static func owners(_ transcripts: [[Entry]]) -> Owners {
        var owners: Owners = [:]
        for (person, transcript) in transcripts.enumerated() {
            for entry in transcript {
                forEachPart(of: entry.bytes) { part in
                    owners[part] = owners[part].map { $0 == person ? person : -1 } ?? person
                }
            }
        }
        return owners
    }

    private static func forEachPart(of bytes: ArraySlice<UInt8>, _ body: (UInt64) -> Void) {
        bytes.withUnsafeBytes { bytes in
            guard bytes.count >= 8 else { return }
            for offset in 0...bytes.count - 8 { body(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) }
        }
    }
}
