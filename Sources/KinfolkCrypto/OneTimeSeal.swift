import CSodium

/// ChaCha20-Poly1305 (RFC 8439). Each key seals one value only, so the nonce can be zero.
package enum OneTimeSeal {
    package static let keyLength = Int(crypto_aead_chacha20poly1305_ietf_KEYBYTES)
    package static let overhead = Int(crypto_aead_chacha20poly1305_ietf_ABYTES)

    private static let nonce = [UInt8](repeating: 0, count: Int(crypto_aead_chacha20poly1305_ietf_NPUBBYTES))

    /// Writes the sealed value, ``overhead`` bytes longer than `value`.
    package static func seal(
        _ value: UnsafeRawBufferPointer,
        _ associated: UnsafeRawBufferPointer,
        under key: UnsafeRawBufferPointer,
        into sealed: UnsafeMutableRawBufferPointer
    ) {
        guard key.count == keyLength, sealed.count == value.count + overhead,
            let key = key.baseAddress?.assumingMemoryBound(to: UInt8.self),
            let output = sealed.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return }
        crypto_aead_chacha20poly1305_ietf_encrypt(
            output,
            nil,
            value.baseAddress?.assumingMemoryBound(to: UInt8.self),
            UInt64(value.count),
            associated.baseAddress?.assumingMemoryBound(to: UInt8.self),
            UInt64(associated.count),
            nil,
            nonce,
            key
        )
    }

    /// Writes the opened value. Returns false if it cannot be opened; the output is then meaningless.
    package static func open(
        _ sealed: UnsafeRawBufferPointer,
        _ associated: UnsafeRawBufferPointer,
        under key: UnsafeRawBufferPointer,
        into value: UnsafeMutableRawBufferPointer
    ) -> Bool {
        guard key.count == keyLength, sealed.count == value.count + overhead,
            let key = key.baseAddress?.assumingMemoryBound(to: UInt8.self),
            let input = sealed.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return false }
        return crypto_aead_chacha20poly1305_ietf_decrypt(
            value.baseAddress?.assumingMemoryBound(to: UInt8.self),
            nil,
            nil,
            input,
            UInt64(sealed.count),
            associated.baseAddress?.assumingMemoryBound(to: UInt8.self),
            UInt64(associated.count),
            nonce,
            key
        ) == 0
    }
}
