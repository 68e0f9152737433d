import Glibc
import Kinfolk

/// The cost of a call through the C API, in addition to the Swift call that does the same. Loads the released library, in
/// addition to the copy in this program.
enum CallWork {
    static func measure(_ setting: Setting) throws -> [Section] {
        guard let path = setting.library else { return [] }
        let library = try SharedLibrary(path)
        let address = "Ada.Lovelace@Example.com"
        let rows = try [
            contactsCount(address, library, setting),
            emailHash(address, library, setting),
            discoverRecordID(library, setting),
        ]
        return [Section(title: "C call over the Swift call", rows: rows)]
    }

    /// - Parameter calls: The number of calls of the C API. The figure is for one of them.
    private static func row(_ name: String, calls: Double = 1, _ pair: Pair) -> Row {
        Row(
            name: name,
            value: pair.difference / calls * Unit.nanoseconds.perSecondOfTime,
            unit: .nanoseconds,
            goal: .atMost(60)
        )
    }

    private static func contactsCount(_ address: String, _ library: SharedLibrary, _ setting: Setting) throws -> Row {
        typealias New = @convention(c) (UnsafeMutablePointer<OpaquePointer?>) -> CInt
        typealias Add = @convention(c) (OpaquePointer?, UnsafePointer<CChar>, UnsafePointer<CChar>?) -> CInt
        typealias Count = @convention(c) (OpaquePointer?) -> Int
        let new: New = try library.function("contacts_new")
        let add: Add = try library.function("contacts_add_email")
        let count: Count = try library.function("contacts_count")
        let free: @convention(c) (OpaquePointer?) -> Void = try library.function("contacts_free")
        var contacts: OpaquePointer?
        try library.check(new(&contacts))
        defer { free(contacts) }
        try library.check(add(contacts, address, nil))
        var book = ContactBook()
        try book.add(email: address)
        var sum = 0
        let pair = try Pair(.processor, runs: setting.runs, repeats: 100_000) { _ in
            sum += count(contacts)
        } floor: { _ in
            sum -= book.count
        }
        guard sum == 0 else { throw Failure("The library counts different contacts.") }
        return row("contacts_count", pair)
    }

    private static func emailHash(_ address: String, _ library: SharedLibrary, _ setting: Setting) throws -> Row {
        typealias Hash = @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<UInt8>) -> CInt
        let hash: Hash = try library.function("email_hash")
        var bytes = [UInt8](repeating: 0, count: ContactHash.byteCount)
        try library.check(hash(address, &bytes))
        guard try EmailAddress(address).contactHash == ContactHash(bytes: bytes) else {
            throw Failure("The library makes a different hash.")
        }
        let text = address.utf8CString
        let pair = try text.withUnsafeBufferPointer { text in
            guard let text = text.baseAddress else { throw Failure("There is no address.") }
            return try bytes.withUnsafeMutableBufferPointer { bytes in
                guard let bytes = bytes.baseAddress else { throw Failure("There is no room.") }
                return try Pair(.processor, runs: setting.runs, repeats: 10_000) { _ in
                    try library.check(hash(text, bytes))
                } floor: { _ in
                    _ = try EmailAddress(address).contactHash
                }
            }
        }
        return row("email_hash", pair)
    }

    /// Nobody has this ID, so both calls do the same work and return nothing.
    private static func discoverRecordID(_ library: SharedLibrary, _ setting: Setting) throws -> Row {
        typealias Discover =
            @convention(c) (OpaquePointer?, UnsafePointer<CChar>, UnsafeMutablePointer<OpaquePointer?>) -> CInt
        typealias Count = @convention(c) (OpaquePointer?) -> Int
        let discover: Discover = try library.function("discover_record_id")
        let count: Count = try library.function("identities_count")
        let free: @convention(c) (OpaquePointer?) -> Void = try library.function("identities_free")
        let store = try PeopleStore.ready(100_000, in: setting.stores)
        let swift = try store.session(of: .plain)
        let c = try library.session(store.path, PeopleStore.container, account: Hexadecimal.text(store.account()))
        let nobody = "_" + String(repeating: "0", count: 32)
        let pair = try Pair(.processor, runs: 4 * setting.runs, repeats: 500) { _ in
            var identities: OpaquePointer?
            try library.check(discover(c, nobody, &identities))
            guard count(identities) == 0 else { throw Failure("The library found somebody.") }
            free(identities)
        } floor: { _ in
            guard try swift.discover(UserRecordID(nobody)) == nil else { throw Failure("Somebody was found.") }
        }
        return row("discover_record_id, its count and free", calls: 3, pair)
    }
}
