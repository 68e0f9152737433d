import Floors

/// The floor's connection to a ``RecordStore``.
final class FloorRecords {
    /// An indexed field.
    enum Field: Int {
        case group = 0
        case team = 1
        case kind = 2
        case order = 3
    }

    private let store: OpaquePointer
    private let records: OpaquePointer

    /// - Parameter owner: The user whose private database it is; nil for the public one.
    init(_ store: OpaquePointer, _ owner: [UInt8]?) {
        self.store = store
        records = floor_records_open(store, owner, RecordStore.type)
    }

    deinit {
        floor_records_close(records)
        floor_store_close(store)
    }

    func fetch(_ number: Int) -> Int { floor_records_fetch(records, number) }
    func insert(_ first: Int, _ count: Int, group: Int) { floor_records_insert(records, first, count, group) }
    func change(_ number: Int, order: Int64) { floor_records_change(records, number, order) }
    func equal(_ field: Field, as number: Int) -> Int { floor_records_equal(records, field.rawValue, number) }
    func equal(_ few: Field, _ many: Field, as number: Int) -> Int {
        floor_records_equal_both(records, few.rawValue, many.rawValue, number)
    }
    func sorted(from order: Int64, limit: Int) -> Int { floor_records_sorted(records, order, limit) }
    func count(_ field: Field, as number: Int) -> Int { floor_records_count(records, field.rawValue, number) }
    func fill(_ first: Int, _ count: Int) { floor_records_fill(records, first, count) }
}
