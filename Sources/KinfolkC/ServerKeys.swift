public import CKinfolk
import Kinfolk

/// The keys of servers of a container at one time.
final class ServerKeysHandle: Handle, @unchecked Sendable {
    let keys: [ServerKey]
    let texts = TextArena()

    init(_ keys: [ServerKey]) { self.keys = keys }
}

/// The most bytes of a key. No text of a key is as long.
private let mostKeyBytes = 1 << 16

@_cdecl("kinfolk_server_key_add") @implementation
public func kinfolk_server_key_add(
    _ handle: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ key: UnsafePointer<UInt8>?,
    _ key_length: Int,
    _ id: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let key = try Array(bytes(key, key_length, atMost: mostKeyBytes))
        let added = try container(handle).addServerKey(key, named: text(name))
        if let id { id.pointee = try copied(added.id) }
    }
}

@_cdecl("kinfolk_server_key_remove") @implementation
public func kinfolk_server_key_remove(
    _ handle: OpaquePointer?,
    _ id: UnsafePointer<CChar>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in try container(handle).removeServerKey(text(id)) }
}

@_cdecl("kinfolk_container_server_keys") @implementation
public func kinfolk_container_server_keys(
    _ handle: OpaquePointer?,
    _ keys: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let keys = try output(keys)
        keys.pointee = try makeHandle(ServerKeysHandle(container(handle).serverKeys()))
    }
}

// MARK: Contents of a list

private func key(_ handle: OpaquePointer?, _ index: Int) -> ServerKey? {
    guard let keys = peek(handle, as: ServerKeysHandle.self)?.keys, keys.indices.contains(index) else { return nil }
    return keys[index]
}

private func lend(_ handle: OpaquePointer?, _ text: String?) -> UnsafePointer<CChar>? {
    guard let texts = peek(handle, as: ServerKeysHandle.self)?.texts else { return nil }
    return text.flatMap(texts.text)
}

@_cdecl("kinfolk_server_keys_count") @implementation
public func kinfolk_server_keys_count(_ keys: OpaquePointer?) -> Int {
    peek(keys, as: ServerKeysHandle.self)?.keys.count ?? 0
}

@_cdecl("kinfolk_server_keys_id") @implementation
public func kinfolk_server_keys_id(_ keys: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    lend(keys, key(keys, index)?.id)
}

@_cdecl("kinfolk_server_keys_name") @implementation
public func kinfolk_server_keys_name(_ keys: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    lend(keys, key(keys, index)?.name)
}

@_cdecl("kinfolk_server_keys_public_key") @implementation
public func kinfolk_server_keys_public_key(_ keys: OpaquePointer?, _ index: Int) -> UnsafePointer<UInt8>? {
    key(keys, index).flatMap { key in peek(keys, as: ServerKeysHandle.self)?.texts.bytes(key.publicKey) }
}

@_cdecl("kinfolk_server_keys_account_id") @implementation
public func kinfolk_server_keys_account_id(_ keys: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    lend(keys, key(keys, index)?.account.description)
}

@_cdecl("kinfolk_server_keys_created_at") @implementation
public func kinfolk_server_keys_created_at(_ keys: OpaquePointer?, _ index: Int) -> Int64 {
    key(keys, index)?.createdAt.microseconds ?? 0
}

@_cdecl("kinfolk_server_keys_free") @implementation
public func kinfolk_server_keys_free(_ keys: OpaquePointer?) { freeHandle(keys, as: ServerKeysHandle.self) }
