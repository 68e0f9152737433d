import Floors
import Kinfolk

/// The floor's connection to the custom zone of a ``RecordStore``.
final class FloorZone {
    private let store: OpaquePointer
    private let zone: OpaquePointer
    private let cascade: OpaquePointer
    private var names: [CChar]

    init(_ store: OpaquePointer, _ owner: [UInt8]) {
        self.store = store
        zone = floor_zone_open(store, owner)
        cascade = floor_cascade_open(zone, RecordStore.type)
        names = []
    }

    deinit {
        floor_cascade_close(cascade)
        floor_zone_close(zone)
        floor_store_close(store)
    }

    var lastChange: Int64 { floor_zone_last_change(zone) }

    /// Reads and opens the records that were changed after a change, and returns their number, at most `limit`.
    func changes(after change: Int64, page: Int, limit: Int) -> Int {
        let length = limit * FLOOR_RECORD_NAME
        if names.count != length { names = [CChar](repeating: 0, count: length) }
        return floor_zone_changes(zone, change, page, &names, limit)
    }

    /// Deletes a record and those that refer to it, and returns their number.
    func delete(_ id: RecordID) -> Int { floor_cascade_delete(cascade, id.name) }

    /// How many rows a table has.
    func count(_ table: String) -> Int64 { floor_count_rows(store, table) }

    /// The names of the first records that ``changes(after:page:limit:)`` read.
    func names(_ count: Int) -> [String] {
        let length = FLOOR_RECORD_NAME
        return (0..<count).map { number in
            String(decoding: names[(number * length)...].prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }
}
