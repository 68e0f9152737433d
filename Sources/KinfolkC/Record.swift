public import CKinfolk
import Kinfolk
import KinfolkThreads

/// A record, which C changes in place, and the texts that C has borrowed from it.
final class RecordHandle: Handle, @unchecked Sendable {
    let record: Lock<Record>
    let texts = TextArena()

    init(_ record: Record) { self.record = Lock(record) }
}

@_cdecl("kinfolk_record_new") @implementation
public func kinfolk_record_new(
    _ type: UnsafePointer<CChar>?,
    _ name: UnsafePointer<CChar>?,
    _ zone: UnsafePointer<CChar>?,
    _ record: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let record = try output(record)
        let id = try name == nil ? RecordID(zone: zoneName(zone)) : recordID(name, zone)
        record.pointee = try makeHandle(RecordHandle(Record(type: text(type), id: id)))
    }
}

/// The name of a zone; that of the default zone for NULL.
func zoneName(_ zone: UnsafePointer<CChar>?) throws(KinfolkError) -> String {
    zone == nil ? RecordZone.defaultName : try text(zone)
}

/// The ID of a record in a zone, or in the default zone for NULL.
func recordID(
    _ name: UnsafePointer<CChar>?,
    _ zone: UnsafePointer<CChar>?
) throws(KinfolkError) -> RecordID {
    try RecordID(text(name), zone: zoneName(zone))
}

/// A value that is read from a record, or nil if the handle is NULL.
private func read<Value>(_ handle: OpaquePointer?, _ body: (Record) -> Value) -> Value? {
    peek(handle, as: RecordHandle.self)?.record.withLock { body($0) }
}

private func lend(_ handle: OpaquePointer?, _ body: (Record) -> String?) -> UnsafePointer<CChar>? {
    guard let texts = peek(handle, as: RecordHandle.self)?.texts else { return nil }
    return read(handle, body)?.flatMap(texts.text)
}

@_cdecl("kinfolk_record_type") @implementation
public func kinfolk_record_type(_ record: OpaquePointer?) -> UnsafePointer<CChar>? { lend(record) { $0.type } }

@_cdecl("kinfolk_record_name") @implementation
public func kinfolk_record_name(_ record: OpaquePointer?) -> UnsafePointer<CChar>? { lend(record) { $0.id.name } }

@_cdecl("kinfolk_record_id") @implementation
public func kinfolk_record_id(_ record: OpaquePointer?) -> UnsafePointer<CChar>? { lend(record) { $0.id.name } }

@_cdecl("kinfolk_record_zone") @implementation
public func kinfolk_record_zone(_ record: OpaquePointer?) -> UnsafePointer<CChar>? { lend(record) { $0.id.zone } }

@_cdecl("kinfolk_record_parent") @implementation
public func kinfolk_record_parent(_ record: OpaquePointer?) -> UnsafePointer<CChar>? {
    lend(record) { $0.parent?.target.name }
}

@_cdecl("kinfolk_record_database") @implementation
public func kinfolk_record_database(_ record: OpaquePointer?) -> kinfolk_database_scope {
    guard let scope = read(record, { $0.database }) ?? nil else { return KINFOLK_DATABASE_NONE }
    return kinfolk_database_scope(UInt32(bitPattern: scope.rawValue))
}

@_cdecl("kinfolk_record_change_tag") @implementation
public func kinfolk_record_change_tag(_ record: OpaquePointer?) -> UnsafePointer<CChar>? {
    lend(record) { $0.changeTag }
}

@_cdecl("kinfolk_record_created_at") @implementation
public func kinfolk_record_created_at(_ record: OpaquePointer?) -> Int64 {
    read(record) { $0.createdAt?.microseconds ?? 0 } ?? 0
}

@_cdecl("kinfolk_record_modified_at") @implementation
public func kinfolk_record_modified_at(_ record: OpaquePointer?) -> Int64 {
    read(record) { $0.modifiedAt?.microseconds ?? 0 } ?? 0
}

@_cdecl("kinfolk_record_created_by") @implementation
public func kinfolk_record_created_by(_ record: OpaquePointer?) -> UnsafePointer<CChar>? {
    lend(record) { $0.createdBy?.description }
}

@_cdecl("kinfolk_record_modified_by") @implementation
public func kinfolk_record_modified_by(_ record: OpaquePointer?) -> UnsafePointer<CChar>? {
    lend(record) { $0.modifiedBy?.description }
}

@_cdecl("kinfolk_record_field_count") @implementation
public func kinfolk_record_field_count(_ record: OpaquePointer?) -> Int { read(record) { $0.keys.count } ?? 0 }

@_cdecl("kinfolk_record_field_name") @implementation
public func kinfolk_record_field_name(_ record: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    lend(record) { record in
        let keys = record.keys
        return keys.indices.contains(index) ? keys[index] : nil
    }
}

@_cdecl("kinfolk_record_field_type") @implementation
public func kinfolk_record_field_type(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ type: UnsafeMutablePointer<kinfolk_field_type>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let type = try output(type)
        type.pointee = kinfolk_field_type(UInt32(try field(record, name).value.type.rawValue))
    }
}

@_cdecl("kinfolk_record_remove") @implementation
public func kinfolk_record_remove(_ record: OpaquePointer?, _ name: UnsafePointer<CChar>?) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let name = try text(name)
        try object(record, as: RecordHandle.self).record.withLock { record throws(KinfolkError) in
            try record.remove(name)
        }
    }
}

/// A record's handle and the value of one of its fields, which is in memory: this is allowed in a forked child.
func field(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?
) throws(KinfolkError) -> (handle: RecordHandle, value: FieldValue) {
    guard let handle = peek(record, as: RecordHandle.self) else { throw KinfolkError.null }
    let name = try text(name)
    guard let value = handle.record.withLock({ $0[name] }) else {
        throw KinfolkError(.unknownItem, "The record has no such field.")
    }
    return (handle, value)
}

@_cdecl("kinfolk_record_free") @implementation
public func kinfolk_record_free(_ record: OpaquePointer?) {
    freeHandle(record, as: RecordHandle.self)
}
