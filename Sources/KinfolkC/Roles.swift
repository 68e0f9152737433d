public import CKinfolk
import Kinfolk

/// The roles of an account at one time.
final class RolesHandle: Handle, @unchecked Sendable {
    let names: [String]
    let texts = TextArena()

    init(_ names: [String]) { self.names = names }
}

@_cdecl("kinfolk_role_grant") @implementation
public func kinfolk_role_grant(
    _ handle: OpaquePointer?,
    _ role: UnsafePointer<CChar>?,
    _ account: OpaquePointer?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        try container(handle).grantRole(text(role), to: object(account, as: AccountHandle.self).account)
    }
}

@_cdecl("kinfolk_role_revoke") @implementation
public func kinfolk_role_revoke(
    _ handle: OpaquePointer?,
    _ role: UnsafePointer<CChar>?,
    _ account: OpaquePointer?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        try container(handle).revokeRole(text(role), from: object(account, as: AccountHandle.self).account)
    }
}

@_cdecl("kinfolk_container_roles") @implementation
public func kinfolk_container_roles(
    _ handle: OpaquePointer?,
    _ account: OpaquePointer?,
    _ roles: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let roles = try output(roles)
        let names = try container(handle).roles(of: object(account, as: AccountHandle.self).account)
        roles.pointee = makeHandle(RolesHandle(names))
    }
}

@_cdecl("kinfolk_roles_count") @implementation
public func kinfolk_roles_count(_ roles: OpaquePointer?) -> Int {
    peek(roles, as: RolesHandle.self)?.names.count ?? 0
}

@_cdecl("kinfolk_roles_name") @implementation
public func kinfolk_roles_name(_ roles: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    guard let handle = peek(roles, as: RolesHandle.self), handle.names.indices.contains(index) else { return nil }
    return handle.texts.text(handle.names[index])
}

@_cdecl("kinfolk_roles_free") @implementation
public func kinfolk_roles_free(_ roles: OpaquePointer?) { freeHandle(roles, as: RolesHandle.self) }
