public import CKinfolk
import Kinfolk

/// The identities by which the person of an account signs in, at one time.
final class LinkedIdentitiesHandle: Handle, @unchecked Sendable {
    let identities: [LinkedIdentity]
    let texts = TextArena()

    init(_ identities: [LinkedIdentity]) { self.identities = identities }
}

private func account(_ handle: OpaquePointer?) throws(KinfolkError) -> Account {
    try object(handle, as: AccountHandle.self).account
}

@_cdecl("kinfolk_account_add_identity") @implementation
public func kinfolk_account_add_identity(
    _ handle: OpaquePointer?,
    _ issuer: UnsafePointer<CChar>?,
    _ subject: UnsafePointer<CChar>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        try account(handle).addIdentity(issuer: text(issuer), subject: text(subject))
    }
}

@_cdecl("kinfolk_account_remove_identity") @implementation
public func kinfolk_account_remove_identity(
    _ handle: OpaquePointer?,
    _ issuer: UnsafePointer<CChar>?,
    _ subject: UnsafePointer<CChar>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        try account(handle).removeIdentity(issuer: text(issuer), subject: text(subject))
    }
}

@_cdecl("kinfolk_account_find_by_identity") @implementation
public func kinfolk_account_find_by_identity(
    _ handle: OpaquePointer?,
    _ issuer: UnsafePointer<CChar>?,
    _ subject: UnsafePointer<CChar>?,
    _ account: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let account = try output(account)
        let service = try object(handle, as: ServiceHandle.self).service
        account.pointee = try makeHandle(
            AccountHandle(service.account(issuer: text(issuer), subject: text(subject)))
        )
    }
}

@_cdecl("kinfolk_account_linked_identities") @implementation
public func kinfolk_account_linked_identities(
    _ handle: OpaquePointer?,
    _ identities: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let identities = try output(identities)
        identities.pointee = try makeHandle(LinkedIdentitiesHandle(account(handle).identities()))
    }
}

// MARK: Contents of a list

private func identity(_ handle: OpaquePointer?, _ index: Int) -> LinkedIdentity? {
    guard let identities = peek(handle, as: LinkedIdentitiesHandle.self)?.identities,
        identities.indices.contains(index)
    else { return nil }
    return identities[index]
}

private func lend(_ handle: OpaquePointer?, _ text: String?) -> UnsafePointer<CChar>? {
    guard let texts = peek(handle, as: LinkedIdentitiesHandle.self)?.texts else { return nil }
    return text.flatMap(texts.text)
}

@_cdecl("kinfolk_linked_identities_count") @implementation
public func kinfolk_linked_identities_count(_ identities: OpaquePointer?) -> Int {
    peek(identities, as: LinkedIdentitiesHandle.self)?.identities.count ?? 0
}

@_cdecl("kinfolk_linked_identities_issuer") @implementation
public func kinfolk_linked_identities_issuer(_ identities: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    lend(identities, identity(identities, index)?.issuer)
}

@_cdecl("kinfolk_linked_identities_subject") @implementation
public func kinfolk_linked_identities_subject(_ identities: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    lend(identities, identity(identities, index)?.subject)
}

@_cdecl("kinfolk_linked_identities_added_at") @implementation
public func kinfolk_linked_identities_added_at(_ identities: OpaquePointer?, _ index: Int) -> Int64 {
    identity(identities, index)?.addedAt.microseconds ?? 0
}

@_cdecl("kinfolk_linked_identities_free") @implementation
public func kinfolk_linked_identities_free(_ identities: OpaquePointer?) {
    freeHandle(identities, as: LinkedIdentitiesHandle.self)
}
