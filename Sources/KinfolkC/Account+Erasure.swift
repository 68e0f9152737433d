public import CKinfolk
import Kinfolk

/// The result of an erasure.
final class ErasureHandle: Handle, @unchecked Sendable {
    let erasure: Erasure

    init(_ erasure: Erasure) { self.erasure = erasure }
}

@_cdecl("kinfolk_account_erase") @implementation
public func kinfolk_account_erase(
    _ account: OpaquePointer?,
    _ erasure: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let result = try object(account, as: AccountHandle.self).account.erase()
        erasure?.pointee = makeHandle(ErasureHandle(result))
    }
}

@_cdecl("kinfolk_account_erase_keeping_public_records") @implementation
public func kinfolk_account_erase_keeping_public_records(
    _ account: OpaquePointer?,
    _ erasure: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let result = try object(account, as: AccountHandle.self).account.erase(keepsPublicRecords: true)
        erasure?.pointee = makeHandle(ErasureHandle(result))
    }
}

private func erasure(_ handle: OpaquePointer?) -> Erasure? {
    peek(handle, as: ErasureHandle.self)?.erasure
}

@_cdecl("kinfolk_erasure_email_count") @implementation
public func kinfolk_erasure_email_count(_ handle: OpaquePointer?) -> Int { erasure(handle)?.emails ?? 0 }

@_cdecl("kinfolk_erasure_container_count") @implementation
public func kinfolk_erasure_container_count(_ handle: OpaquePointer?) -> Int { erasure(handle)?.containers ?? 0 }

@_cdecl("kinfolk_erasure_record_count") @implementation
public func kinfolk_erasure_record_count(_ handle: OpaquePointer?) -> Int { erasure(handle)?.records ?? 0 }

@_cdecl("kinfolk_erasure_remembered_email_count") @implementation
public func kinfolk_erasure_remembered_email_count(_ handle: OpaquePointer?) -> Int {
    erasure(handle)?.rememberedEmails ?? 0
}

@_cdecl("kinfolk_erasure_remembered_until") @implementation
public func kinfolk_erasure_remembered_until(_ handle: OpaquePointer?) -> Int64 {
    erasure(handle)?.rememberedUntil?.microseconds ?? 0
}

@_cdecl("kinfolk_erasure_mails_count_until") @implementation
public func kinfolk_erasure_mails_count_until(_ handle: OpaquePointer?) -> Int64 {
    erasure(handle)?.mailsCountUntil?.microseconds ?? 0
}

@_cdecl("kinfolk_erasure_is_pending") @implementation
public func kinfolk_erasure_is_pending(_ handle: OpaquePointer?) -> Bool { erasure(handle)?.isPending ?? false }

@_cdecl("kinfolk_erasure_free") @implementation
public func kinfolk_erasure_free(_ handle: OpaquePointer?) {
    freeHandle(handle, as: ErasureHandle.self)
}
