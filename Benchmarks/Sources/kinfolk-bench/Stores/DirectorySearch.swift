import Floors
import Kinfolk

/// The same books, searched by the product and by the floor, in a directory of this size.
final class DirectorySearch {
    private let books: [Book]
    private let session: Session
    private let account: [UInt8]
    private let store: OpaquePointer

    /// - Throws: ``Failure`` if the product and the floor do not find the same people.
    init(_ size: Int, books count: Int, _ configuration: Configuration, _ setting: Setting) throws {
        let people = try PeopleStore.ready(size, in: setting.stores)
        account = try people.account()
        let session = try people.session(of: configuration)
        self.session = session
        books = try (0..<count).map { try Book(BookText.make($0, of: size), session) }
        store = people.floor(cacheKiB: configuration.cacheKiB)
        for book in books { try book.verify(session, store, of: account) }
    }

    deinit { floor_store_close(store) }

    func product(_ run: Int) throws { try book(run).discoverAgain(session) }

    func floor(_ run: Int) throws { try book(run).match(store, of: account) }

    func productForTheFirstTime(_ run: Int) throws { try book(run).discoverFirst(session) }

    func floorForTheFirstTime(_ run: Int) throws {
        try book(run).match(store, of: account, isFirst: true)
        floor_count_permits(store)
    }

    private func book(_ run: Int) -> Book { books[run % books.count] }
}
