public import CKinfolk
import Kinfolk

/// What a fetch of several records returned: a record or an error for each.
final class RecordsHandle: Handle, @unchecked Sendable {
    let results: [Result<Record, KinfolkError>]

    init(_ results: [Result<Record, KinfolkError>]) { self.results = results }
}

@_cdecl("kinfolk_database_fetch_records") @implementation
public func kinfolk_database_fetch_records(
    _ handle: OpaquePointer?,
    _ names: UnsafePointer<UnsafePointer<CChar>?>?,
    _ zones: UnsafePointer<UnsafePointer<CChar>?>?,
    _ count: Int,
    _ records: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let records = try output(records)
        let database = try database(handle)
        var ids: [RecordID] = []
        for (index, name) in try array(names, count).enumerated() { ids.append(try recordID(name, zones?[index])) }
        records.pointee = makeHandle(RecordsHandle(try database.fetch(ids)))
    }
}

@_cdecl("kinfolk_records_count") @implementation
public func kinfolk_records_count(_ records: OpaquePointer?) -> Int {
    peek(records, as: RecordsHandle.self)?.results.count ?? 0
}

@_cdecl("kinfolk_records_record") @implementation
public func kinfolk_records_record(
    _ records: OpaquePointer?,
    _ index: Int,
    _ record: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let record = try output(record)
        guard let results = peek(records, as: RecordsHandle.self)?.results else { throw KinfolkError.null }
        guard results.indices.contains(index) else { throw KinfolkError(.unknownItem, "The list has no such index.") }
        record.pointee = makeHandle(RecordHandle(try results[index].get()))
    }
}

@_cdecl("kinfolk_records_free") @implementation
public func kinfolk_records_free(_ records: OpaquePointer?) { freeHandle(records, as: RecordsHandle.self) }
