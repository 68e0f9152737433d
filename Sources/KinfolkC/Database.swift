public import CKinfolk
import Kinfolk
import KinfolkThreads

/// A database, as one session sees it.
final class DatabaseHandle: Handle, @unchecked Sendable {
    let database: Database

    init(_ database: Database) { self.database = database }
}

func database(_ handle: OpaquePointer?) throws(KinfolkError) -> Database {
    try object(handle, as: DatabaseHandle.self).database
}

private func scope(_ scope: kinfolk_database_scope) throws(KinfolkError) -> DatabaseScope {
    guard let scope = DatabaseScope(rawValue: Int32(truncatingIfNeeded: scope.rawValue)) else {
        throw KinfolkError(.invalidArgument, "The database must be public or private.")
    }
    return scope
}

private func policy(_ policy: kinfolk_save_policy) throws(KinfolkError) -> SavePolicy {
    guard let policy = SavePolicy(rawValue: Int32(truncatingIfNeeded: policy.rawValue)) else {
        throw KinfolkError(.invalidArgument, "The save policy is unknown.")
    }
    return policy
}

@_cdecl("kinfolk_session_database") @implementation
public func kinfolk_session_database(
    _ handle: OpaquePointer?,
    _ scope: kinfolk_database_scope,
    _ database: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let database = try output(database)
        let scope = try KinfolkC.scope(scope)
        database.pointee = try makeHandle(DatabaseHandle(session(handle).database(scope)))
    }
}

@_cdecl("kinfolk_database_fetch") @implementation
public func kinfolk_database_fetch(
    _ handle: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ zone: UnsafePointer<CChar>?,
    _ record: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let record = try output(record)
        record.pointee = try makeHandle(RecordHandle(database(handle).fetch(recordID(name, zone))))
    }
}

@_cdecl("kinfolk_database_save") @implementation
public func kinfolk_database_save(
    _ handle: OpaquePointer?,
    _ record: OpaquePointer?,
    _ policy: kinfolk_save_policy
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let database = try database(handle)
        try change(record, KinfolkC.policy(policy)) { record, policy throws(KinfolkError) in
            try database.save(record, policy: policy)
        }
    }
}

/// Replaces a record by the result of a save. Under its lock, so that fields that another thread sets meanwhile are not lost.
private func change(
    _ record: OpaquePointer?,
    _ policy: SavePolicy,
    _ save: (Record, SavePolicy) throws(KinfolkError) -> Record
) throws(KinfolkError) {
    try object(record, as: RecordHandle.self).record.withLock { record throws(KinfolkError) in
        record = try save(record, policy)
    }
}

@_cdecl("kinfolk_database_delete") @implementation
public func kinfolk_database_delete(
    _ handle: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ zone: UnsafePointer<CChar>?,
    _ change_tag: UnsafePointer<CChar>?,
    _ deleted: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let records = try database(handle)
            .delete(recordID(name, zone), changeTag: change_tag == nil ? nil : text(change_tag))
        deleted?.pointee = makeHandle(DeletedHandle(records))
    }
}

@_cdecl("kinfolk_database_free") @implementation
public func kinfolk_database_free(_ database: OpaquePointer?) { freeHandle(database, as: DatabaseHandle.self) }

// MARK: User records

@_cdecl("kinfolk_record_fetch") @implementation
public func kinfolk_record_fetch(
    _ handle: OpaquePointer?,
    _ id: UnsafePointer<CChar>?,
    _ scope: kinfolk_database_scope,
    _ record: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let record = try output(record)
        let scope = try KinfolkC.scope(scope)
        let session = try session(handle)
        let fetched =
            if id == nil { try session.fetchUserRecord(in: scope) } else {
                try session.fetchUserRecord(UserRecordID(text(id)), in: scope)
            }
        record.pointee = makeHandle(RecordHandle(fetched))
    }
}

@_cdecl("kinfolk_record_save") @implementation
public func kinfolk_record_save(
    _ handle: OpaquePointer?,
    _ record: OpaquePointer?,
    _ policy: kinfolk_save_policy
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let session = try session(handle)
        try change(record, KinfolkC.policy(policy)) { record, policy throws(KinfolkError) in
            try session.save(record, policy: policy)
        }
    }
}
