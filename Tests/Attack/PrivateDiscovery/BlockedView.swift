import Kinfolk
import KinfolkStorage

/// What somebody sees of people who blocked them: nothing, as if they were not there.
struct BlockedView {
    private static let person = InventedPerson(5_000)

    private let store: AttackedStore
    private let bits: Int
    private let book: ContactBook

    init(bits: Int) throws {
        self.bits = bits
        store = try AttackedStore()
        try store.container.setDirectoryModes([.hashed, .private])
        try store.container.setPrefixBits(bits)
        try store.importPeople(0..<2_000) { $0 < 1_000 }
        var book = ContactBook()
        for number in 0..<60 { try book.add(hash: Guesser.hash(number)) }
        try book.add(email: BlockedView.person.address)
        self.book = book
    }

    func findings() throws -> [Finding] {
        let blocked = try store.session(InventedPerson(Suspects.seekers + 10))
        let other = try store.session(InventedPerson(Suspects.seekers + 11))
        // Somebody else does the same, so that both have spent as much.
        let (before, beforeOfOther) = (try search(as: blocked), try search(as: other))

        let session = try store.discoverable(BlockedView.person)
        let record = try session.userRecordID()
        let unblocked = try search(as: blocked, state: before.client.state)
        _ = try search(as: other, state: beforeOfOther.client.state)
        guard unblocked.client.matches.map(\.userRecordID).contains(record), unblocked.seen.sentBuckets == 1 else {
            throw ExperimentFailure("not even somebody who blocks nobody is seen")
        }
        try session.block(blocked.userRecordID())

        // With the state of before the person came, and with none.
        let after = try search(as: blocked, state: before.client.state)
        let anew = try search(as: blocked)
        _ = try search(as: other, state: beforeOfOther.client.state)
        _ = try search(as: other)
        guard let request = after.seen.requests.last else { throw ExperimentFailure("no bucket was asked for") }
        // The first answer fills the caches, which stay valid until another person's charge is written.
        func work(of session: Session) throws -> [WorkDone] {
            _ = try session.answer(request.bytes)
            return try store.service.tracing { try session.answer(request.bytes) }.1
        }
        let (work, ofOther) = (try work(of: blocked), try work(of: other))
        let mine = try rows(of: blocked, request)
        let others = try rows(of: other, request)
        let hidden = others.subtracting(mine)
        let isFound = (after.client.matches + anew.client.matches).map(\.userRecordID).contains(record)
        return [
            Finding(
                "p = \(bits): somebody comes, and blocks who asks, who has the state of before",
                "\(after.seen.sentBuckets) buckets changed, \(isFound ? "found" : "not found"), also anew; the same "
                    + "\(work.count) statements as for others",
                isHeld: after.seen.sentBuckets == 0 && after.seen.prefixes == before.seen.prefixes && !isFound
                    && anew.seen.rows.isDisjoint(with: hidden) && after.client.matches == before.client.matches
                    && work.map(\.sql) == ofOther.map(\.sql)
            ),
            Finding(
                "p = \(bits): the same buckets by a second account: a documented leak",
                "\(hidden.count) row more than the \(mine.count.grouped) that the blocked one sees: who has both, and the "
                    + "address, learns of the block",
                isHeld: hidden.count == 1 && mine.isSubset(of: others)
            ),
        ]
    }

    private func search(
        as session: Session,
        state: [UInt8] = []
    ) throws -> (client: PrivateDiscoveryClient, seen: Conversation) {
        var client = try PrivateDiscoveryClient(container: AttackedStore.containerName, state: state)
        client.setContacts(book)
        let seen = try Conversation(&client, with: session)
        return (client, seen)
    }

    /// The rows of the buckets of a request, whatever the client has of them.
    private func rows(of session: Session, _ request: SeenMessage) throws -> Set<[UInt8]> {
        let answer = try session.answer(request.withoutVersions.bytes)
        return Set(SeenMessage(answer).rows.compactMap(\.self).joined())
    }
}
