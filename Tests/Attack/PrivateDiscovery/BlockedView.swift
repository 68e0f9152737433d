import Kinfolk
import KinfolkStorage

/// A blocked person sees nothing of the person who blocked them, as if that person were not there.
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
        // Another person does the same, so that both have spent the same.
        let (before, beforeOfOther) = (try search(as: blocked), try search(as: other))

        let session = try store.discoverable(BlockedView.person)
        let record = try session.userRecordID()
        let unblocked = try search(as: blocked, state: before.client.state)
        _ = try search(as: other, state: beforeOfOther.client.state)
        guard unblocked.client.matches.map(\.userRecordID).contains(record), unblocked.seen.sentBuckets == 1 else {
            throw ExperimentFailure("a person who blocks nobody was not found either")
        }
        try session.block(blocked.userRecordID())

        // Once with the state from before the person joined, and once without a state.
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
                "p = \(bits): a person joins and blocks the searcher, who has a sync state from before",
                "\(after.seen.sentBuckets) buckets changed, \(isFound ? "found" : "not found"), also without a state; the same "
                    + "\(work.count) statements as for others",
                isHeld: after.seen.sentBuckets == 0 && after.seen.prefixes == before.seen.prefixes && !isFound
                    && anew.seen.rows.isDisjoint(with: hidden) && after.client.matches == before.client.matches
                    && work.map(\.sql) == ofOther.map(\.sql)
            ),
            Finding(
                "p = \(bits): a second account asks for the same buckets: a documented leak",
                "\(hidden.count) row more than the \(mine.count.grouped) that the blocked account sees: whoever has both accounts "
                    + "and the address learns of the block",
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

    /// All rows of the buckets of a request, also of those that the client has already.
    private func rows(of session: Session, _ request: SeenMessage) throws -> Set<[UInt8]> {
        let answer = try session.answer(request.withoutVersions.bytes)
        return Set(SeenMessage(answer).rows.compactMap(\.self).joined())
    }
}
