public import CKinfolk
import Kinfolk

/// A page of accounts.
final class AccountsHandle: Handle, @unchecked Sendable {
    let ids: [AccountID]
    let texts = TextArena()

    init(_ ids: [AccountID]) { self.ids = ids }
}

@_cdecl("kinfolk_service_accounts") @implementation
public func kinfolk_service_accounts(
    _ service: OpaquePointer?,
    _ after: UnsafePointer<CChar>?,
    _ limit: Int,
    _ accounts: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let accounts = try output(accounts)
        let service = try object(service, as: ServiceHandle.self).service
        let last = after == nil ? nil : try AccountID(text(after))
        accounts.pointee = makeHandle(
            AccountsHandle(try service.accounts(after: last, limit: pageSize(limit)).map(\.id))
        )
    }
}

@_cdecl("kinfolk_accounts_count") @implementation
public func kinfolk_accounts_count(_ accounts: OpaquePointer?) -> Int {
    peek(accounts, as: AccountsHandle.self)?.ids.count ?? 0
}

@_cdecl("kinfolk_accounts_id") @implementation
public func kinfolk_accounts_id(_ accounts: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    guard let handle = peek(accounts, as: AccountsHandle.self), handle.ids.indices.contains(index) else { return nil }
    return handle.texts.text(handle.ids[index].description)
}

@_cdecl("kinfolk_accounts_free") @implementation
public func kinfolk_accounts_free(_ accounts: OpaquePointer?) { freeHandle(accounts, as: AccountsHandle.self) }
