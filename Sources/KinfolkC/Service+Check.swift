public import CKinfolk
import Kinfolk

// Checks a store, counts its bytes again, and restores a backup.

@_cdecl("kinfolk_store_restore") @implementation
public func kinfolk_store_restore(
    _ path: UnsafePointer<CChar>?,
    _ backup: UnsafePointer<CChar>?,
    _ options: UnsafePointer<kinfolk_open_options>?,
    _ replace_other: Bool,
    _ progress: kinfolk_progress_fn?,
    _ context: UnsafeMutableRawPointer?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let (path, backup) = (try KinfolkC.path(path), try KinfolkC.path(backup))
        let options = try checked(options)
        try Service.restore(
            path,
            from: backup,
            key: keySource(options),
            replace_other,
            options.wait == 0 ? 5 : wait(options)
        ) { (done) throws(KinfolkError) in
            try tell(progress, done.done, of: done.total, context)
        }
    }
}

/// The result of a check.
final class CheckHandle: Handle, @unchecked Sendable {
    let check: StoreCheck
    let texts = TextArena()

    init(_ check: StoreCheck) { self.check = check }
}

@_cdecl("kinfolk_service_check") @implementation
public func kinfolk_service_check(
    _ service: OpaquePointer?,
    _ progress: kinfolk_progress_fn?,
    _ context: UnsafeMutableRawPointer?,
    _ check: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let check = try output(check)
        let found = try object(service, as: ServiceHandle.self).service.check {
            (rows, total) throws(KinfolkError) in
            try tell(progress, rows, of: total, context)
        }
        check.pointee = makeHandle(CheckHandle(found))
    }
}

private func finding(_ handle: OpaquePointer?, _ index: Int) -> StoreCheck.Finding? {
    guard let findings = peek(handle, as: CheckHandle.self)?.check.findings, findings.indices.contains(index) else {
        return nil
    }
    return findings[index]
}

@_cdecl("kinfolk_check_is_sound") @implementation
public func kinfolk_check_is_sound(_ check: OpaquePointer?) -> Bool {
    peek(check, as: CheckHandle.self)?.check.isSound ?? false
}

@_cdecl("kinfolk_check_rows") @implementation
public func kinfolk_check_rows(_ check: OpaquePointer?) -> UInt64 {
    UInt64(clamping: peek(check, as: CheckHandle.self)?.check.rows ?? 0)
}

private func table(_ handle: OpaquePointer?, _ index: Int) -> StoreCheck.Table? {
    guard let tables = peek(handle, as: CheckHandle.self)?.check.tables, tables.indices.contains(index) else {
        return nil
    }
    return tables[index]
}

@_cdecl("kinfolk_check_table_count") @implementation
public func kinfolk_check_table_count(_ check: OpaquePointer?) -> Int {
    peek(check, as: CheckHandle.self)?.check.tables.count ?? 0
}

@_cdecl("kinfolk_check_table_name") @implementation
public func kinfolk_check_table_name(_ check: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    guard let table = table(check, index) else { return nil }
    return peek(check, as: CheckHandle.self)?.texts.text(table.name)
}

@_cdecl("kinfolk_check_table_rows") @implementation
public func kinfolk_check_table_rows(_ check: OpaquePointer?, _ index: Int) -> UInt64 {
    UInt64(clamping: table(check, index)?.rows ?? 0)
}

@_cdecl("kinfolk_check_finding_count") @implementation
public func kinfolk_check_finding_count(_ check: OpaquePointer?) -> Int {
    peek(check, as: CheckHandle.self)?.check.findings.count ?? 0
}

@_cdecl("kinfolk_check_finding_table") @implementation
public func kinfolk_check_finding_table(_ check: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    guard let found = finding(check, index) else { return nil }
    return peek(check, as: CheckHandle.self)?.texts.text(found.table)
}

@_cdecl("kinfolk_check_finding_kind") @implementation
public func kinfolk_check_finding_kind(_ check: OpaquePointer?, _ index: Int) -> kinfolk_finding {
    kinfolk_finding(rawValue: UInt32(finding(check, index)?.kind.rawValue ?? 0))
}

@_cdecl("kinfolk_check_finding_times") @implementation
public func kinfolk_check_finding_times(_ check: OpaquePointer?, _ index: Int) -> UInt64 {
    UInt64(clamping: finding(check, index)?.times ?? 0)
}

@_cdecl("kinfolk_check_free") @implementation
public func kinfolk_check_free(_ check: OpaquePointer?) { freeHandle(check, as: CheckHandle.self) }

@_cdecl("kinfolk_recount_bytes") @implementation
public func kinfolk_recount_bytes(_ service: OpaquePointer?) -> kinfolk_status {
    attempt { () throws(KinfolkError) in try object(service, as: ServiceHandle.self).service.recountBytes() }
}
