import Kinfolk

/// A genuine sync state of many contacts, followed by many genuine sync states of one contact.
struct SyncStateShape {
    let small: Int
    let bytes: [UInt8]
    private let book: ContactBook
    /// Its folder is deleted with it.
    private let store: AttackedStore
    private let session: Session

    init(_ length: Length) throws {
        small = length.choose(short: 500, long: 5_000)
        store = try AttackedStore()
        try store.container.setPermitLimit(AttackedStore.unlimited)
        let session = try store.session(InventedPerson(0))
        var candidates = Candidates(seed: 6)
        book = try candidates.book(length.choose(short: 2_000, long: 50_000))
        var bytes = try session.discover(book).syncState
        for _ in 0..<small { bytes += try session.discover(candidates.book(1)).syncState }
        self.bytes = bytes
        self.session = session
    }

    /// Searches with all these sync states.
    func read() throws { _ = try session.discover(book, syncState: bytes) }
}
