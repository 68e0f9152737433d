public import CKinfolk
import Kinfolk

@_cdecl("kinfolk_container_find_account") @implementation
public func kinfolk_container_find_account(
    _ handle: OpaquePointer?,
    _ record_id: UnsafePointer<CChar>?,
    _ reason: UnsafePointer<CChar>?,
    _ account: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let account = try output(account)
        let record = try UserRecordID(text(record_id))
        account.pointee = try makeHandle(AccountHandle(container(handle).account(of: record, reason: text(reason))))
    }
}

@_cdecl("kinfolk_container_block") @implementation
public func kinfolk_container_block(
    _ handle: OpaquePointer?,
    _ record_id: UnsafePointer<CChar>?,
    _ other_record_id: UnsafePointer<CChar>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        try container(handle).block(UserRecordID(text(record_id)), from: UserRecordID(text(other_record_id)))
    }
}

@_cdecl("kinfolk_container_unblock") @implementation
public func kinfolk_container_unblock(
    _ handle: OpaquePointer?,
    _ record_id: UnsafePointer<CChar>?,
    _ other_record_id: UnsafePointer<CChar>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        try container(handle).unblock(UserRecordID(text(record_id)), from: UserRecordID(text(other_record_id)))
    }
}
