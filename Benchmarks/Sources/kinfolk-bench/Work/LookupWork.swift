import Floors
import Kinfolk

/// Look-ups of one address at a time, paid for with permits that were leased before.
enum LookupWork {
    private static let size = 1_000_000
    /// The number of permits that the product leases at once, after many look-ups. The look-up that leases them is not measured.
    private static let block = 64
    /// The number of look-ups before a whole block is leased: three, then blocks of 4, 8, 16, 32 and 64.
    private static let start = 127

    static func measure(_ setting: Setting) throws -> [Section] {
        let store = try PeopleStore.ready(size, in: setting.stores)
        let session = try store.session(of: .plain)
        let floor = store.floor(cacheKiB: Configuration.plain.cacheKiB)
        defer { floor_store_close(floor) }
        let strangers = (0..<block).map { BookText.absentAddress($0 * 31) }
        let people = (0..<block).map { BookText.presentAddress($0 * 31, of: size) }
        try verify(people[1], session, floor)

        let absent = try pair(strangers, session, setting) { address in
            guard !lookUp(address, floor) else { throw Failure("The floor found the wrong people.") }
        }
        var identity = floor_identity()
        let present = try pair(people, session, setting) { address in
            guard lookUp(address, floor, &identity) else { throw Failure("The floor found the wrong people.") }
        }
        return [
            Section(
                title: "Single lookup by e-mail, 1,000,000 people",
                rows: [
                    Row("of nobody", absent, in: .microseconds, goal: .ratioAtMost(1.4)),
                    Row("of somebody, with the name", present, in: .microseconds),
                ]
            )
        ]
    }

    private static func pair(
        _ addresses: [String],
        _ session: Session,
        _ setting: Setting,
        floor: (String) throws -> Void
    ) throws -> Pair {
        let emails = try addresses.map { try EmailAddress($0) }
        var (products, floors): ([Double], [Double]) = ([], [])
        for run in 0...setting.runs {
            _ = try session.discover(emails[0])
            let ofProduct = try Stopwatch.processor.time {
                for address in addresses.dropFirst() { _ = try session.discover(EmailAddress(address)) }
            }
            try floor(addresses[0])
            let ofFloor = try Stopwatch.processor.time { for address in addresses.dropFirst() { try floor(address) } }
            guard run > 0 else { continue }
            products.append(ofProduct / Double(block - 1))
            floors.append(ofFloor / Double(block - 1))
        }
        return Pair(products, floors)
    }

    private static func lookUp(_ address: String, _ floor: OpaquePointer) -> Bool {
        floor_look_up(floor, address, address.utf8.count, nil)
    }

    private static func lookUp(_ address: String, _ floor: OpaquePointer, _ identity: inout floor_identity) -> Bool {
        floor_look_up(floor, address, address.utf8.count, &identity)
    }

    private static func verify(_ address: String, _ session: Session, _ floor: OpaquePointer) throws {
        // From here on look-ups follow without a pause of a minute, so each block is spent when the next one is leased.
        for _ in 0..<start - 1 { _ = try session.discover(EmailAddress(address)) }
        let product = try session.discover(EmailAddress(address))
        var identity = floor_identity()
        guard lookUp(address, floor, &identity), product.map({ "\($0.userRecordID)" }) == identity.recordID else {
            throw Failure("The product and the floor find different people.")
        }
    }
}
