import CSodium

/// Seals values, so that nobody can read, change or move them without the key.
///
/// A sealed value is the key's ID (4 bytes), a random nonce (24), and XChaCha20-Poly1305 of the value padded to a multiple
/// of 32 bytes (ISO/IEC 7816-4), with its place as associated data.
package struct SealingKey: Sendable {
    private static let idLength = 4
    private static let nonceLength = Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES)
    private static let macLength = Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)
    private static let block = 32

    private let key: SecretKey
    /// The key's ID. Every value that this key seals begins with it.
    let id: [UInt8]

    package init(_ key: SecretKey) throws {
        self.key = key
        // A public ID for the key. It is derived with a separate key, so that it reveals nothing about this one.
        id = try key.derive("kinfokid").withUnsafeBytes { Array($0.prefix(SealingKey.idLength)) }
    }

    /// A key whose values begin with the ID of another key, instead of which it is used.
    package init(_ key: SecretKey, inPlaceOf other: SealingKey) {
        self.key = key
        id = other.id
    }

    package func seal(_ value: [UInt8], at place: SealedPlace) -> [UInt8] {
        value.withUnsafeBytes { seal($0, at: place) }
    }

    package func seal(_ value: UnsafeRawBufferPointer, at place: SealedPlace) -> [UInt8] {
        let padded = (value.count / SealingKey.block + 1) * SealingKey.block
        let start = SealingKey.idLength + SealingKey.nonceLength
        let total = start + padded + SealingKey.macLength
        let nonce = SecureRandom.bytes(SealingKey.nonceLength)
        let associated = id + place.bytes
        return [UInt8](unsafeUninitializedCapacity: total) { output, count in
            guard let base = output.baseAddress else { return }
            base.initialize(repeating: 0, count: total)
            UnsafeMutableRawBufferPointer(output).copyBytes(from: id)
            UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(output)[SealingKey.idLength...])
                .copyBytes(from: nonce)
            let message = base + start
            if let source = value.baseAddress {
                UnsafeMutableRawPointer(message).copyMemory(from: source, byteCount: value.count)
            }
            message[value.count] = 0x80
            key.withUnsafeBytes { key in
                guard let key = key.baseAddress else { return }
                crypto_aead_xchacha20poly1305_ietf_encrypt(
                    message,
                    nil,
                    message,
                    UInt64(padded),
                    associated,
                    UInt64(associated.count),
                    nil,
                    nonce,
                    key.assumingMemoryBound(to: UInt8.self)
                )
            }
            count = total
        }
    }

    /// Whether a value was sealed under this key, according to the ID in the value.
    package func canOpen(_ sealed: UnsafeRawBufferPointer) -> Bool { sealed.starts(with: id) }

    package func open(_ sealed: [UInt8], at place: SealedPlace) throws -> [UInt8] {
        try sealed.withUnsafeBytes { try open($0, at: place) }
    }

    package func open(_ sealed: UnsafeRawBufferPointer, at place: SealedPlace) throws -> [UInt8] {
        let start = SealingKey.idLength + SealingKey.nonceLength
        let padded = sealed.count - start - SealingKey.macLength
        guard padded >= SealingKey.block, padded % SealingKey.block == 0,
            sealed.prefix(SealingKey.idLength).elementsEqual(id),
            let base = sealed.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { throw CryptoError.notAuthentic }
        let associated = id + place.bytes
        var opened = false
        var value = [UInt8](unsafeUninitializedCapacity: padded) { output, count in
            opened = key.withUnsafeBytes { key in
                guard let key = key.baseAddress else { return false }
                return crypto_aead_xchacha20poly1305_ietf_decrypt(
                    output.baseAddress,
                    nil,
                    nil,
                    base + start,
                    UInt64(padded + SealingKey.macLength),
                    associated,
                    UInt64(associated.count),
                    base + SealingKey.idLength,
                    key.assumingMemoryBound(to: UInt8.self)
                ) == 0
            }
            count = opened ? padded : 0
        }
        guard opened, let end = value.lastIndex(where: { $0 != 0 }), value[end] == 0x80,
            padded - end <= SealingKey.block
        else { throw CryptoError.notAuthentic }
        value.removeLast(padded - end)
        return value
    }
}
