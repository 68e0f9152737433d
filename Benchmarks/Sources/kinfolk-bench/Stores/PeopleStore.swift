import Floors
import Glibc
@_spi(Measuring) import Kinfolk

/// A store with a large directory, made once and kept for later runs.
///
/// The product makes the store, its keys, its container and one account, which searches. ``floor_fill(_:_:)`` writes the rows of the
/// directory, with real tags and sealed names. Their accounts use no container, but authenticate the directory's entries. A store
/// with a private directory is a copy of one without, with the rows of ``floor_fill_privately(_:_:_:)``.
struct PeopleStore {
    static let container = "com.example.bench"
    /// Raise this when the product's tables change. Stores with another number are made again.
    private static let layout = 8

    let folder: Folder
    let count: Int

    var path: String { folder.file("kinfolk.db") }
    var key: String { folder.file("kinfolk.key") }

    init(in folder: Folder, count: Int) {
        self.folder = folder
        self.count = count
    }

    /// The store with this number of people. Makes it if no earlier run did.
    static func ready(_ count: Int, in stores: Folder) throws -> PeopleStore {
        try ready("people", count, in: stores) { try $0.make() }
    }

    /// The same, with a private directory in addition to the one of contact hashes. Making it takes a minute for a million people.
    static func readyForPrivateDiscovery(_ count: Int, in stores: Folder) throws -> PeopleStore {
        try ready("private", count, in: stores) { draft in
            try ready(count, in: stores).copy(to: draft)
            try draft.makePrivateDirectory()
        }
    }

    private static func ready(
        _ kind: String,
        _ count: Int,
        in stores: Folder,
        make: (PeopleStore) throws -> Void
    ) throws -> PeopleStore {
        let path = stores.file("\(kind)-\(count)-layout-\(layout)")
        let store = PeopleStore(in: Folder(existing: path), count: count)
        guard Machine.size(of: store.path) == nil else { return store }
        Message.print("Making a store of \(Unit.grouped(count)) people (\(kind)) ...")
        let draft = path + ".draft"
        Folder(existing: draft).remove()
        try make(PeopleStore(in: Folder(draft), count: count))
        try Folder.move(draft, to: path)
        return store
    }

    func remove() { for name in [path, path + "-wal", path + "-shm", key] { unlink(name) } }

    /// Copies the store to a path where no store is.
    func copy(to copy: PeopleStore) { floor_copy_store(path, key, copy.path, copy.key) }

    private func make() throws {
        let service = try Service.open(path)
        let container = try service.createContainer(PeopleStore.container)
        try container.setPermitLimit(PermitLimit(capacity: .max, perHour: 0, unverifiedCapacity: .max))
        _ = try service.createAccount(name: PersonName(givenName: "Ada", familyName: "Example"))
        let floor = floor_store_open(path, key, PeopleStore.container, 65_536)
        defer { floor_store_close(floor) }
        floor_fill(floor, count)
        guard floor_count_rows(floor, "directory") == count, floor_count_rows(floor, "identities") == count else {
            throw Failure("People were lost.")
        }
    }

    private func makePrivateDirectory() throws {
        // Only Ada has an account, and she has no address. So the product makes the epoch and its key, but no row.
        try Service.open(path).container(PeopleStore.container).setDirectoryModes([.hashed, .private])
        let floor = floor_store_open(path, key, PeopleStore.container, 65_536)
        defer { floor_store_close(floor) }
        let epoch = floor_epoch_open(floor, PeopleStore.container)
        defer { floor_epoch_close(epoch) }
        floor_fill_privately(floor, epoch, count)
        guard floor_count_rows(floor, "private_directory") == count else { throw Failure("People were lost.") }
    }

    /// A session of the account that searches, in a separate service.
    func session(of configuration: Configuration) throws -> Session {
        let service = try configuration.open(path)
        guard let account = try service.accounts(limit: 1).first else { throw Failure("The store has no account.") }
        return try PeopleStore.session(of: account, configuration)
    }

    /// The same for any store that has this container.
    static func session(of account: Account, _ configuration: Configuration) throws -> Session {
        let session = try account.service.container(PeopleStore.container).session(for: account)
        if configuration.isFiltered { try waitForFilter(session) }
        return session
    }

    /// Searches for 100 contacts, which makes the filter in the background, and waits for it.
    private static func waitForFilter(_ session: Session) throws {
        var book = ContactBook()
        for number in 0..<100 { try book.add(email: "nobody.\(number)@example.org") }
        _ = try session.discover(book)
        let end = ContinuousClock.now + .seconds(120)
        while !session.container.hasDirectoryFilter {
            guard ContinuousClock.now < end else { throw Failure("The directory has no filter.") }
            usleep(1_000)
        }
    }

    /// The account that searches, in the form that the floor needs.
    func account() throws -> [UInt8] {
        guard let account = try Service.open(path).accounts(limit: 1).first else {
            throw Failure("The store has no account.")
        }
        return Hexadecimal.bytes("\(account.id)")
    }

    func floor(cacheKiB: Int32) -> OpaquePointer { floor_store_open(path, key, PeopleStore.container, cacheKiB) }

    /// Drops the store from the operating system's page cache.
    func dropPageCache() {
        for name in [path, path + "-wal"] { floor_drop_page_cache(name) }
    }
}
