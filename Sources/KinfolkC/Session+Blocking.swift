public import CKinfolk
import Kinfolk

/// The IDs that a person blocked, at one time.
final class BlockedHandle: Handle, @unchecked Sendable {
    let records: [UserRecordID]
    let texts = TextArena()

    init(_ records: [UserRecordID]) { self.records = records }
}

@_cdecl("kinfolk_session_block") @implementation
public func kinfolk_session_block(_ handle: OpaquePointer?, _ record_id: UnsafePointer<CChar>?) -> kinfolk_status {
    attempt { () throws(KinfolkError) in try session(handle).block(UserRecordID(text(record_id))) }
}

@_cdecl("kinfolk_session_unblock") @implementation
public func kinfolk_session_unblock(_ handle: OpaquePointer?, _ record_id: UnsafePointer<CChar>?) -> kinfolk_status {
    attempt { () throws(KinfolkError) in try session(handle).unblock(UserRecordID(text(record_id))) }
}

@_cdecl("kinfolk_session_blocked") @implementation
public func kinfolk_session_blocked(
    _ handle: OpaquePointer?,
    _ blocked: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let blocked = try output(blocked)
        blocked.pointee = try makeHandle(BlockedHandle(session(handle).blockedUserRecordIDs()))
    }
}

@_cdecl("kinfolk_blocked_count") @implementation
public func kinfolk_blocked_count(_ blocked: OpaquePointer?) -> Int {
    peek(blocked, as: BlockedHandle.self)?.records.count ?? 0
}

@_cdecl("kinfolk_blocked_record_id") @implementation
public func kinfolk_blocked_record_id(_ blocked: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    guard let handle = peek(blocked, as: BlockedHandle.self), handle.records.indices.contains(index) else { return nil }
    return handle.texts.text(handle.records[index].description)
}

@_cdecl("kinfolk_blocked_free") @implementation
public func kinfolk_blocked_free(_ blocked: OpaquePointer?) { freeHandle(blocked, as: BlockedHandle.self) }
