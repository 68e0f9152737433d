public import CKinfolk
import Kinfolk

/// A page of the changes of a zone or of a database, and the texts that C has borrowed from it.
final class ChangesHandle: Handle, @unchecked Sendable {
    enum Change {
        case record(Record)
        case deletedRecord(DeletedRecord)
        case zone(RecordZone)
        case deletedZone(RecordZone)
    }

    let changes: [Change]
    let token: ServerChangeToken
    let moreComing: Bool
    let texts = TextArena()

    init(_ page: RecordZoneChanges) {
        changes = page.records.map(Change.record) + page.deleted.map(Change.deletedRecord)
        token = page.token
        moreComing = page.moreComing
    }

    init(_ page: DatabaseChanges) {
        changes = page.changed.map(Change.zone) + page.deleted.map(Change.deletedZone)
        token = page.token
        moreComing = page.moreComing
    }
}

/// The token of C's bytes; nil if there are none.
func changeToken(_ bytes: UnsafePointer<UInt8>?, _ length: Int) throws(KinfolkError) -> ServerChangeToken? {
    let bytes = try KinfolkC.bytes(bytes, length)
    guard !bytes.isEmpty else { return nil }
    guard bytes.count <= ServerChangeToken.maximumLength else {
        throw KinfolkError(
            .invalidArgument,
            "A server change token has at most \(ServerChangeToken.maximumLength) bytes."
        )
    }
    return try ServerChangeToken(bytes: Array(bytes))
}

@_cdecl("kinfolk_zone_changes") @implementation
public func kinfolk_zone_changes(
    _ handle: OpaquePointer?,
    _ zone: UnsafePointer<CChar>?,
    _ token: UnsafePointer<UInt8>?,
    _ token_length: Int,
    _ limit: Int,
    _ changes: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let changes = try output(changes)
        let token = try changeToken(token, token_length)
        let limit = limit == 0 ? Database.maximumBatch : limit
        let page = try database(handle).changes(inZone: text(zone), since: token, limit: limit)
        changes.pointee = makeHandle(ChangesHandle(page))
    }
}

@_cdecl("kinfolk_database_changes") @implementation
public func kinfolk_database_changes(
    _ handle: OpaquePointer?,
    _ token: UnsafePointer<UInt8>?,
    _ token_length: Int,
    _ changes: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let changes = try output(changes)
        let token = try changeToken(token, token_length)
        changes.pointee = try makeHandle(ChangesHandle(database(handle).changes(since: token)))
    }
}

@_cdecl("kinfolk_changes_count") @implementation
public func kinfolk_changes_count(_ changes: OpaquePointer?) -> Int {
    peek(changes, as: ChangesHandle.self)?.changes.count ?? 0
}

/// The change at an index; nil past the end.
private func change(_ handle: OpaquePointer?, _ index: Int) -> ChangesHandle.Change? {
    guard let changes = peek(handle, as: ChangesHandle.self)?.changes, changes.indices.contains(index) else {
        return nil
    }
    return changes[index]
}

private func lend(_ handle: OpaquePointer?, _ text: String?) -> UnsafePointer<CChar>? {
    text.flatMap { peek(handle, as: ChangesHandle.self)?.texts.text($0) }
}

@_cdecl("kinfolk_changes_zone") @implementation
public func kinfolk_changes_zone(_ changes: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    switch change(changes, index) {
    case .record(let record): lend(changes, record.id.zone)
    case .deletedRecord(let record): lend(changes, record.id.zone)
    case .zone(let zone), .deletedZone(let zone): lend(changes, zone.name)
    case nil: nil
    }
}

@_cdecl("kinfolk_changes_is_deleted") @implementation
public func kinfolk_changes_is_deleted(_ changes: OpaquePointer?, _ index: Int) -> Bool {
    switch change(changes, index) {
    case .deletedRecord, .deletedZone: true
    case .record, .zone, nil: false
    }
}

@_cdecl("kinfolk_changes_record") @implementation
public func kinfolk_changes_record(
    _ changes: OpaquePointer?,
    _ index: Int,
    _ record: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let record = try output(record)
        guard changes != nil else { throw KinfolkError.null }
        guard let change = change(changes, index) else {
            throw KinfolkError(.unknownItem, "The page of changes has no such index.")
        }
        if case .record(let changed) = change {
            record.pointee = makeHandle(RecordHandle(changed))
        } else {
            record.pointee = nil
        }
    }
}

/// The deleted record at an index; nil if the change is another.
private func deletedRecord(_ changes: OpaquePointer?, _ index: Int) -> DeletedRecord? {
    if case .deletedRecord(let record) = change(changes, index) { record } else { nil }
}

@_cdecl("kinfolk_changes_deleted_name") @implementation
public func kinfolk_changes_deleted_name(_ changes: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    lend(changes, deletedRecord(changes, index)?.id.name)
}

@_cdecl("kinfolk_changes_deleted_type") @implementation
public func kinfolk_changes_deleted_type(_ changes: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    lend(changes, deletedRecord(changes, index)?.type)
}

@_cdecl("kinfolk_changes_token") @implementation
public func kinfolk_changes_token(
    _ changes: OpaquePointer?,
    _ token: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ length: UnsafeMutablePointer<Int>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let token = try output(token)
        let length = try output(length)
        guard let handle = peek(changes, as: ChangesHandle.self) else { throw KinfolkError.null }
        token.pointee = handle.texts.bytes(handle.token.bytes)
        length.pointee = handle.token.bytes.count
    }
}

@_cdecl("kinfolk_changes_more_coming") @implementation
public func kinfolk_changes_more_coming(_ changes: OpaquePointer?) -> Bool {
    peek(changes, as: ChangesHandle.self)?.moreComing ?? false
}

@_cdecl("kinfolk_changes_free") @implementation
public func kinfolk_changes_free(_ changes: OpaquePointer?) { freeHandle(changes, as: ChangesHandle.self) }
