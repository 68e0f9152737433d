import Kinfolk
import KinfolkCrypto

/// What a client learns about people whom it did not ask for, though it has the whole directory.
struct PrivatePeople: Experiment {
    let name = "private-people"
    let promise = "private people"

    /// So many outputs are tried on so many rows whatever their tags are.
    private static let triedAnyway = 1_000

    func run(_ length: Length) throws -> [Finding] {
        let directory = try LargeDirectory(length)
        let rows = try wholeDirectory(directory)
        return [
            try ofAddresses(directory, rows, length.choose(short: 100_000, long: 1_000_000)),
            try ofRandomOutputs(directory, rows, length.choose(short: 100_000, long: 1_000_000)),
            try withoutTheServer(directory, rows, length.choose(short: 10_000, long: 100_000)),
        ] + (try BlockedView(bits: 0).findings()) + (try BlockedView(bits: 15).findings()) + [
            try EndedBlock().finding()
        ]
    }

    /// The rows by their tags, as a client that asks for all of them gets them.
    private func wholeDirectory(_ directory: LargeDirectory) throws -> [UInt64: [UInt8]] {
        try directory.store.container.setPrefixBits(0)
        let seeker = try directory.store.session(InventedPerson(Suspects.seekers))
        var client = try LargeDirectory.client([0])
        let seen = try Conversation(&client, with: seeker).rows
        let rows = Dictionary(seen.map { (PrivatePeople.tag(of: $0), $0) }) { first, _ in first }
        guard seen.count == directory.rows else {
            throw ExperimentFailure("a client got \(seen.count) rows of \(directory.rows)")
        }
        return rows
    }

    private static func tag(of row: [UInt8]) -> UInt64 { row[..<8].reduce(0) { $0 << 8 | UInt64($1) } }

    private func isOpened(_ row: [UInt8]?, by output: PrivateTag) -> Bool {
        row.flatMap { output.open($0, container: AttackedStore.containerName, epoch: LargeDirectory.epoch) } != nil
    }

    /// More permits than anybody has: addresses of strangers, as the server itself evaluates them.
    private func ofAddresses(_ directory: LargeDirectory, _ rows: [UInt64: [UInt8]], _ count: Int) throws -> Finding {
        let guesser = Guesser(directory.key)
        // That rows open at all: one person's address opens theirs.
        for person in directory.people.prefix(100) {
            let own = try guesser.tag(ofPerson: person)
            guard isOpened(rows[own.tag], by: own) else { throw ExperimentFailure("a person's row does not open") }
        }
        let first = directory.people.upperBound
        let numbers = Array(first..<first + count)
        let hits = try guesser.tags(ofPeople: numbers).enumerated().filter { rows[$1] != nil }
        let opened = try hits.count { index, tag in
            isOpened(rows[tag], by: try guesser.tag(ofPerson: numbers[index]))
        }
        var anyway = 0
        for number in numbers.prefix(PrivatePeople.triedAnyway) {
            let output = try guesser.tag(ofPerson: number)
            anyway += rows.values.prefix(PrivatePeople.triedAnyway).count { isOpened($0, by: output) }
        }
        return Finding(
            "\(count.grouped) addresses of nobody there, evaluated, against all \(directory.description); "
                + "\(PrivatePeople.triedAnyway.grouped) of them against \(PrivatePeople.triedAnyway.grouped) rows whatever "
                + "their tags",
            "\(hits.count) tags there, \(opened + anyway) rows opened (of 100 people who are there, each one's own)",
            isHeld: hits.isEmpty && opened + anyway == 0
        )
    }

    private func ofRandomOutputs(_ directory: LargeDirectory, _ rows: [UInt64: [UInt8]], _ count: Int) throws -> Finding
    {
        var (hits, opened) = (0, 0)
        // Among them one that is somebody's: it must come out.
        let planted = try Guesser(directory.key).outputs([Guesser.hash(directory.people.lowerBound)])
        for start in stride(from: 0, to: count, by: 10_000) {
            var outputs = SecureRandom.bytes(min(10_000, count - start) * OPRF.outputLength)
            if start == 0 { outputs += planted }
            for (index, tag) in PrivateTag.tags(outputs).enumerated() where rows[tag] != nil {
                hits += 1
                let output = Array(outputs[index * OPRF.outputLength..<(index + 1) * OPRF.outputLength])
                if isOpened(rows[tag], by: PrivateTag(output: output)) { opened += 1 }
            }
        }
        guard hits > 0, opened > 0 else { throw ExperimentFailure("the output that was planted opened nothing") }
        return Finding(
            "\(count.grouped) random outputs, and one that is somebody's, against all rows",
            "\(hits) tag there, \(opened) row opened: that one's",
            isHeld: hits == 1 && opened == 1
        )
    }

    /// Addresses of people who are there, with what one can compute without a permit.
    private func withoutTheServer(_ directory: LargeDirectory, _ rows: [UInt64: [UInt8]], _ count: Int) throws
        -> Finding
    {
        let publicKey = directory.key.publicKey.bytes
        let others = try (0..<2).map { _ in try OPRFKey.random(.voprf) }
        let seeds = [publicKey, Array(publicKey.reversed()), [UInt8](repeating: 0, count: 32)]
        let guessed = try seeds.map { seed in
            try OPRFKey(
                seed: seed.withUnsafeBytes(SecretKey.init(copying:)),
                info: Array("kinfolk/2/\(AttackedStore.containerName)".utf8),
                mode: .voprf
            )
        }
        var tried = 0
        var hits = 0
        func look(_ tags: [UInt64]) {
            tried += tags.count
            hits += tags.count { rows[$0] != nil }
        }
        let people = Array(directory.people.prefix(count / 10))
        for key in others + guessed { look(try Guesser(key).tags(ofPeople: people)) }
        for person in people {
            let address = Array(InventedPerson(person).address.lowercased().utf8)
            let hash = try Guesser.hash(person).withUnsafeBytes(Array.init)
            for value in [address, hash, publicKey + hash, hash + publicKey, hash + hash] {
                look(Digest.allCases.map { PrivateTag(output: $0.hash(value)).tag })
                look([PrivateTag(output: value).tag])
            }
        }
        return Finding(
            "\(people.count.grouped) people who are there, with all that needs no permit: hashes, other keys, keys made from "
                + "the public one",
            "\(tried.grouped) tags tried, \(hits) there",
            isHeld: hits == 0
        )
    }
}
