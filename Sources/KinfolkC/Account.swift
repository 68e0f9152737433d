public import CKinfolk
import Kinfolk

/// An account, and the text of its ID.
final class AccountHandle: Handle, @unchecked Sendable {
    let account: Account
    let texts = TextArena()

    init(_ account: Account) { self.account = account }
}

private func account(_ handle: OpaquePointer?) throws(KinfolkError) -> Account {
    try object(handle, as: AccountHandle.self).account
}

@_cdecl("kinfolk_account_create") @implementation
public func kinfolk_account_create(
    _ service: OpaquePointer?,
    _ given_name: UnsafePointer<CChar>?,
    _ family_name: UnsafePointer<CChar>?,
    _ account: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let account = try output(account)
        let name = try PersonName(givenName: text(given_name), familyName: text(family_name))
        account.pointee = try makeHandle(
            AccountHandle(object(service, as: ServiceHandle.self).service.createAccount(name: name))
        )
    }
}

@_cdecl("kinfolk_account_open") @implementation
public func kinfolk_account_open(
    _ service: OpaquePointer?,
    _ id: UnsafePointer<CChar>?,
    _ account: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let account = try output(account)
        let service = try object(service, as: ServiceHandle.self).service
        account.pointee = try makeHandle(AccountHandle(service.account(AccountID(text(id)))))
    }
}

@_cdecl("kinfolk_account_find_by_email") @implementation
public func kinfolk_account_find_by_email(
    _ service: OpaquePointer?,
    _ email: UnsafePointer<CChar>?,
    _ account: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let account = try output(account)
        let service = try object(service, as: ServiceHandle.self).service
        account.pointee = try makeHandle(AccountHandle(service.account(email: EmailAddress(text(email)))))
    }
}

@_cdecl("kinfolk_account_find_or_create") @implementation
public func kinfolk_account_find_or_create(
    _ service: OpaquePointer?,
    _ email: UnsafePointer<CChar>?,
    _ given_name: UnsafePointer<CChar>?,
    _ family_name: UnsafePointer<CChar>?,
    _ account: UnsafeMutablePointer<OpaquePointer?>?,
    _ is_new: UnsafeMutablePointer<Bool>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let account = try output(account)
        let service = try object(service, as: ServiceHandle.self).service
        let name = try PersonName(givenName: text(given_name), familyName: text(family_name))
        let found = try service.findOrCreateAccount(email: text(email), name: name)
        account.pointee = makeHandle(AccountHandle(found.account))
        is_new?.pointee = found.isNew
    }
}

@_cdecl("kinfolk_account_id") @implementation
public func kinfolk_account_id(_ account: OpaquePointer?) -> UnsafePointer<CChar>? {
    guard let handle = peek(account, as: AccountHandle.self) else { return nil }
    return handle.texts.text(handle.account.id.description)
}

@_cdecl("kinfolk_account_get_name") @implementation
public func kinfolk_account_get_name(
    _ handle: OpaquePointer?,
    _ given_name: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
    _ family_name: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let name = try account(handle).name()
        // Makes both copies before it sets an output, so that a failure leaves both outputs unchanged.
        let given = try given_name == nil ? nil : copied(name.givenName)
        let family: UnsafeMutablePointer<CChar>?
        do throws(KinfolkError) {
            family = try family_name == nil ? nil : copied(name.familyName)
        } catch {
            kinfolk_free(given)
            throw error
        }
        given_name?.pointee = given
        family_name?.pointee = family
    }
}

@_cdecl("kinfolk_account_set_name") @implementation
public func kinfolk_account_set_name(
    _ handle: OpaquePointer?,
    _ given_name: UnsafePointer<CChar>?,
    _ family_name: UnsafePointer<CChar>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let name = try PersonName(givenName: text(given_name), familyName: text(family_name))
        try account(handle).setName(name)
    }
}

@_cdecl("kinfolk_account_suspend") @implementation
public func kinfolk_account_suspend(_ handle: OpaquePointer?) -> kinfolk_status {
    attempt { () throws(KinfolkError) in try account(handle).suspend() }
}

@_cdecl("kinfolk_account_resume") @implementation
public func kinfolk_account_resume(_ handle: OpaquePointer?) -> kinfolk_status {
    attempt { () throws(KinfolkError) in try account(handle).resume() }
}

@_cdecl("kinfolk_account_is_suspended") @implementation
public func kinfolk_account_is_suspended(
    _ handle: OpaquePointer?,
    _ suspended: UnsafeMutablePointer<Bool>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let suspended = try output(suspended)
        suspended.pointee = try account(handle).isSuspended()
    }
}

@_cdecl("kinfolk_account_export") @implementation
public func kinfolk_account_export(
    _ handle: OpaquePointer?,
    _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let json = try output(json)
        json.pointee = try copied(account(handle).export())
    }
}

@_cdecl("kinfolk_account_free") @implementation
public func kinfolk_account_free(_ account: OpaquePointer?) {
    freeHandle(account, as: AccountHandle.self)
}
