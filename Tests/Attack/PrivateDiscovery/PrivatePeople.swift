import Kinfolk
import KinfolkCrypto

/// A client that has the whole directory learns nothing about people whose addresses it did not have evaluated.
struct PrivatePeople: Experiment {
    let name = "private-people"
    let promise = "private people"

    /// That many outputs are tried on that many rows, even if the tags differ.
    private static let triedAnyway = 1_000

    func run(_ length: Length) throws -> [Finding] {
        let directory = try LargeDirectory(length)
        let rows = try wholeDirectory(directory)
        return [
            try ofAddresses(directory, rows, length.choose(short: 30_000, long: 1_000_000)),
            try ofRandomOutputs(directory, rows, length.choose(short: 30_000, long: 1_000_000)),
            try withoutTheServer(directory, rows, length.choose(short: 3_000, long: 100_000)),
        ] + (try BlockedView(bits: 0).findings()) + (try BlockedView(bits: 15).findings()) + [
            try EndedBlock().finding()
        ]
    }

    /// All rows by their tags, as a client gets them that asks for all buckets.
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

    /// Tries more addresses of strangers than permits allow: the server's own key evaluates them.
    private func ofAddresses(_ directory: LargeDirectory, _ rows: [UInt64: [UInt8]], _ count: Int) throws -> Finding {
        let guesser = Guesser(directory.key)
        // A person's own address opens their row. Otherwise this experiment would show nothing.
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
            "\(count.grouped) addresses of people who are not in the directory, evaluated, against all \(directory.description); "
                + "\(PrivatePeople.triedAnyway.grouped) of them against \(PrivatePeople.triedAnyway.grouped) rows, even "
                + "if the tags differ",
            "\(hits.count) tags matched, \(opened + anyway) rows opened (with the addresses of 100 people who are there, each their own)",
            isHeld: hits.isEmpty && opened + anyway == 0
        )
    }

    private func ofRandomOutputs(_ directory: LargeDirectory, _ rows: [UInt64: [UInt8]], _ count: Int) throws -> Finding
    {
        var (hits, opened) = (0, 0)
        // One of the outputs belongs to a person in the directory, and must be found.
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
        guard hits > 0, opened > 0 else { throw ExperimentFailure("the planted output opened nothing") }
        return Finding(
            "\(count.grouped) random outputs, and one of a person in the directory, against all rows",
            "\(hits) tag matched, \(opened) row opened: that person's",
            isHeld: hits == 1 && opened == 1
        )
    }

    /// Tries everything that can be computed without a permit from the addresses of people who are in the directory.
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
            "\(people.count.grouped) people of the directory, with everything that needs no permit: hashes, other keys, keys "
                + "made from the public key",
            "\(tried.grouped) tags tried, \(hits) matched",
            isHeld: hits == 0
        )
    }
}
