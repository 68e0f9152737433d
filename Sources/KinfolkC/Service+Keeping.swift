public import CKinfolk
import Kinfolk

// Occasional tasks of an operator: new keys, copies, the audit log.

@_cdecl("kinfolk_service_rotate_keys") @implementation
public func kinfolk_service_rotate_keys(
    _ service: OpaquePointer?,
    _ new_key: UnsafePointer<kinfolk_open_options>?,
    _ is_leaked: Bool,
    _ progress: kinfolk_progress_fn?,
    _ context: UnsafeMutableRawPointer?,
    _ old_key_file: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
    _ consequences: UnsafeMutablePointer<UInt32>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let service = try object(service, as: ServiceHandle.self).service
        let rotation = try service.rotateKeys(to: newKey(new_key), isLeaked: is_leaked) {
            (done) throws(KinfolkError) in
            try tell(progress, done.accounts, of: done.total, context)
        }
        consequences?.pointee = rotation.consequences.rawValue
        old_key_file?.pointee = try rotation.oldKey.map(copied)
    }
}

private func newKey(_ options: UnsafePointer<kinfolk_open_options>?) throws(KinfolkError) -> KeySource? {
    guard options != nil else { return nil }
    let given = try known(options)
    guard given.key_file != nil || given.key != nil || given.passphrase != nil else {
        throw KinfolkError(.invalidArgument, "A key, a key file or a passphrase must be given.")
    }
    return try keySource(given)
}

@_cdecl("kinfolk_service_back_up") @implementation
public func kinfolk_service_back_up(
    _ service: OpaquePointer?,
    _ path: UnsafePointer<CChar>?,
    _ progress: kinfolk_progress_fn?,
    _ context: UnsafeMutableRawPointer?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        try object(service, as: ServiceHandle.self).service.backUp(to: KinfolkC.path(path)) {
            (done, total) throws(KinfolkError) in
            try tell(progress, done, of: total, context)
        }
    }
}

@_cdecl("kinfolk_service_copy") @implementation
public func kinfolk_service_copy(
    _ service: OpaquePointer?,
    _ destination: UnsafePointer<CChar>?,
    _ progress: kinfolk_progress_fn?,
    _ context: UnsafeMutableRawPointer?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        try object(service, as: ServiceHandle.self).service.copy(to: path(destination)) {
            (done) throws(KinfolkError) in
            try tell(progress, done.rows, of: done.total ?? 0, context)
        }
    }
}

/// A page of the audit log.
final class AuditHandle: Handle, @unchecked Sendable {
    let entries: [AuditEntry]
    let texts = TextArena()

    init(_ entries: [AuditEntry]) { self.entries = entries }
}

@_cdecl("kinfolk_service_audit_log") @implementation
public func kinfolk_service_audit_log(
    _ service: OpaquePointer?,
    _ after: Int64,
    _ limit: Int,
    _ audit: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let audit = try output(audit)
        let service = try object(service, as: ServiceHandle.self).service
        let entries = try service.auditLog(after: after, limit: pageSize(limit))
        audit.pointee = makeHandle(AuditHandle(entries))
    }
}

private func entry(_ handle: OpaquePointer?, _ index: Int) -> AuditEntry? {
    guard let entries = peek(handle, as: AuditHandle.self)?.entries, entries.indices.contains(index) else { return nil }
    return entries[index]
}

private func lend(_ handle: OpaquePointer?, _ text: String?) -> UnsafePointer<CChar>? {
    guard let texts = peek(handle, as: AuditHandle.self)?.texts else { return nil }
    return text.flatMap(texts.text)
}

@_cdecl("kinfolk_audit_count") @implementation
public func kinfolk_audit_count(_ audit: OpaquePointer?) -> Int {
    peek(audit, as: AuditHandle.self)?.entries.count ?? 0
}

@_cdecl("kinfolk_audit_number") @implementation
public func kinfolk_audit_number(_ audit: OpaquePointer?, _ index: Int) -> Int64 { entry(audit, index)?.number ?? 0 }

@_cdecl("kinfolk_audit_noted_at") @implementation
public func kinfolk_audit_noted_at(_ audit: OpaquePointer?, _ index: Int) -> Int64 {
    entry(audit, index)?.notedAt.microseconds ?? 0
}

@_cdecl("kinfolk_audit_container") @implementation
public func kinfolk_audit_container(_ audit: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    lend(audit, entry(audit, index)?.container)
}

@_cdecl("kinfolk_audit_record_id") @implementation
public func kinfolk_audit_record_id(_ audit: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    lend(audit, entry(audit, index)?.userRecordID?.description)
}

@_cdecl("kinfolk_audit_reason") @implementation
public func kinfolk_audit_reason(_ audit: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    lend(audit, entry(audit, index)?.reason)
}

@_cdecl("kinfolk_audit_free") @implementation
public func kinfolk_audit_free(_ audit: OpaquePointer?) { freeHandle(audit, as: AuditHandle.self) }
