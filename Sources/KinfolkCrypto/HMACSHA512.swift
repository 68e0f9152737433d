import CSodium

/// HMAC-SHA-512 (RFC 2104, FIPS 198-1) under a key that is used for several messages.
package struct HMACSHA512: Sendable {
    package static let length = Int(crypto_auth_hmacsha512_BYTES)

    private let keyed: crypto_auth_hmacsha512_state

    package init(key: UnsafeRawBufferPointer) {
        var state = crypto_auth_hmacsha512_state()
        let start = key.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? UnsafePointer(WritableRows.nowhere)
        crypto_auth_hmacsha512_init(&state, start, key.count)
        keyed = state
    }

    /// Writes the first bytes of the code of a message, which consists of two pieces and a last byte. `code` gets as many bytes as
    /// it has room for, 64 at most.
    package func authenticate(
        _ first: StaticString,
        _ second: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0),
        last: UInt8? = nil,
        into code: UnsafeMutableRawBufferPointer
    ) {
        var state = keyed
        crypto_auth_hmacsha512_update(&state, first.utf8Start, UInt64(first.utf8CodeUnitCount))
        if let start = second.baseAddress {
            crypto_auth_hmacsha512_update(&state, start.assumingMemoryBound(to: UInt8.self), UInt64(second.count))
        }
        if var last { crypto_auth_hmacsha512_update(&state, &last, 1) }
        withWipedScratch(HMACSHA512.length) { whole in
            crypto_auth_hmacsha512_final(&state, whole)
            code.copyMemory(from: UnsafeRawBufferPointer(start: whole, count: min(code.count, HMACSHA512.length)))
        }
        withUnsafeMutableBytes(of: &state, wipe)
    }

    /// HKDF-Expand (RFC 5869, SHA-512) of one block, 64 bytes at most, with this key as the pseudorandom key. `info` consists of
    /// two pieces.
    package func expand(
        _ info: StaticString,
        _ rest: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0),
        into bytes: UnsafeMutableRawBufferPointer
    ) {
        authenticate(info, rest, last: 1, into: bytes)
    }
}
