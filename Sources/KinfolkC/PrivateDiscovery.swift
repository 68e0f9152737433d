public import CKinfolk
import Glibc
import Kinfolk
import KinfolkThreads

// The server's half.

@_cdecl("kinfolk_session_answer") @implementation
public func kinfolk_session_answer(
    _ handle: OpaquePointer?,
    _ request: UnsafePointer<UInt8>?,
    _ request_length: Int,
    _ threads: UInt32,
    _ answer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?,
    _ answer_length: UnsafeMutablePointer<Int>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let answer = try output(answer)
        let length = try output(answer_length)
        let request = Array(try bytes(request, request_length))
        try give(session(handle).answer(request, threads: Int(threads)), answer, length)
    }
}

@_cdecl("kinfolk_discover_contacts_privately") @implementation
public func kinfolk_discover_contacts_privately(
    _ handle: OpaquePointer?,
    _ contacts: OpaquePointer?,
    _ state: UnsafePointer<UInt8>?,
    _ state_length: Int,
    _ threads: UInt32,
    _ identities: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let identities = try output(identities)
        let state = Array(try bytes(state, state_length))
        let book = try object(contacts, as: ContactsHandle.self).book.withLock { $0 }
        let found = try session(handle).discoverPrivately(book, state: state, threads: Int(threads))
        identities.pointee = makeHandle(IdentitiesHandle(found.identities, syncState: found.syncState))
    }
}

@_cdecl("kinfolk_service_bucket_public_key") @implementation
public func kinfolk_service_bucket_public_key(
    _ handle: OpaquePointer?,
    _ key: UnsafeMutablePointer<UInt8>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let key = try output(key)
        let bytes = try object(handle, as: ServiceHandle.self).service.bucketPublicKey()
        key.update(from: bytes, count: bytes.count)
    }
}

// The client's half.

final class PrivateClientHandle: Handle, @unchecked Sendable {
    let client: Lock<PrivateDiscoveryClient>

    init(_ client: PrivateDiscoveryClient) { self.client = Lock(client) }
}

/// Changes a client in place.
private func with<Result>(
    _ handle: OpaquePointer?,
    _ body: (inout PrivateDiscoveryClient) throws(KinfolkError) -> Result
) throws(KinfolkError) -> Result {
    try object(handle, as: PrivateClientHandle.self).client.withLock(body)
}

@_cdecl("kinfolk_private_client_new") @implementation
public func kinfolk_private_client_new(
    _ container: UnsafePointer<CChar>?,
    _ public_keys: UnsafePointer<UInt8>?,
    _ key_count: Int,
    _ bucket_key: UnsafePointer<UInt8>?,
    _ filler_secret: UnsafePointer<UInt8>?,
    _ state: UnsafePointer<UInt8>?,
    _ state_length: Int,
    _ threads: UInt32,
    _ client: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let client = try output(client)
        guard (0...1_000).contains(key_count) else {
            throw KinfolkError(.limitExceeded, "A client accepts at most 1,000 public keys.")
        }
        let length = Int(KINFOLK_PUBLIC_KEY_LENGTH)
        let keys = try bytes(public_keys, length * key_count)
        let made = try PrivateDiscoveryClient(
            container: text(container),
            publicKeys: (0..<key_count).map { Array(keys[$0 * length..<($0 + 1) * length]) },
            bucketKey: bucket_key.map { Array(UnsafeBufferPointer(start: $0, count: length)) },
            fillerSecret: filler_secret.map {
                Array(UnsafeBufferPointer(start: $0, count: Int(KINFOLK_FILLER_SECRET_LENGTH)))
            },
            state: Array(bytes(state, state_length)),
            threads: Int(threads)
        )
        client.pointee = makeHandle(PrivateClientHandle(made))
    }
}

@_cdecl("kinfolk_private_client_set_contacts") @implementation
public func kinfolk_private_client_set_contacts(
    _ client: OpaquePointer?,
    _ contacts: OpaquePointer?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let book = try object(contacts, as: ContactsHandle.self).book.withLock { $0 }
        try with(client) { client throws(KinfolkError) in client.setContacts(book) }
    }
}

@_cdecl("kinfolk_private_client_begin") @implementation
public func kinfolk_private_client_begin(_ client: OpaquePointer?) -> kinfolk_status {
    attempt { () throws(KinfolkError) in try with(client) { client throws(KinfolkError) in client.begin() } }
}

@_cdecl("kinfolk_private_client_set_maximum_prefix_bits") @implementation
public func kinfolk_private_client_set_maximum_prefix_bits(_ client: OpaquePointer?, _ bits: UInt32) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        guard bits <= 32 else { throw KinfolkError(.invalidArgument, "A prefix has 0 to 32 bits.") }
        try with(client) { client throws(KinfolkError) in client.maximumPrefixBits = Int(bits) }
    }
}

@_cdecl("kinfolk_private_client_next_request") @implementation
public func kinfolk_private_client_next_request(
    _ client: OpaquePointer?,
    _ request: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?,
    _ length: UnsafeMutablePointer<Int>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let request = try output(request)
        let length = try output(length)
        let next = try with(client) { client throws(KinfolkError) in try client.nextRequest() }
        try give(next ?? [], request, length)
    }
}

@_cdecl("kinfolk_private_client_receive") @implementation
public func kinfolk_private_client_receive(
    _ client: OpaquePointer?,
    _ answer: UnsafePointer<UInt8>?,
    _ length: Int
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let answer = Array(try bytes(answer, length))
        try with(client) { client throws(KinfolkError) in try client.receive(answer) }
    }
}

@_cdecl("kinfolk_private_client_identities") @implementation
public func kinfolk_private_client_identities(
    _ client: OpaquePointer?,
    _ identities: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let identities = try output(identities)
        let matches = try with(client) { client throws(KinfolkError) in client.matches }
        identities.pointee = makeHandle(IdentitiesHandle(matches.map { DiscoveredIdentity($0) }))
    }
}

@_cdecl("kinfolk_private_client_state") @implementation
public func kinfolk_private_client_state(
    _ client: OpaquePointer?,
    _ state: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?,
    _ length: UnsafeMutablePointer<Int>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let state = try output(state)
        let length = try output(length)
        try give(with(client) { client throws(KinfolkError) in client.state }, state, length)
    }
}

@_cdecl("kinfolk_private_client_filler_secret") @implementation
public func kinfolk_private_client_filler_secret(
    _ client: OpaquePointer?,
    _ secret: UnsafeMutablePointer<UInt8>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let secret = try output(secret)
        let bytes = try with(client) { client throws(KinfolkError) in client.fillerSecret }
        secret.update(from: bytes, count: bytes.count)
    }
}

@_cdecl("kinfolk_private_client_free") @implementation
public func kinfolk_private_client_free(_ client: OpaquePointer?) {
    freeHandle(client, as: PrivateClientHandle.self)
}

/// Gives the caller a copy of bytes, which the caller frees; NULL if there are none.
private func give(
    _ bytes: [UInt8],
    _ pointer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
    _ length: UnsafeMutablePointer<Int>
) throws(KinfolkError) {
    pointer.pointee = try copied(bytes)
    length.pointee = bytes.count
}
