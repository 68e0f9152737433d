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
    /// The ID as a number, to compare it with that of a value.
    private let number: UInt32

    package init(_ key: SecretKey) throws {
        self.key = key
        // A public ID for the key. It is derived with a separate key, so that it reveals nothing about this one.
        id = try key.derive("kinfokid").withUnsafeBytes { Array($0.prefix(SealingKey.idLength)) }
        number = id.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
    }

    /// A key whose values begin with the ID of another key, instead of which it is used.
    package init(_ key: SecretKey, inPlaceOf other: SealingKey) {
        self.key = key
        id = other.id
        number = other.number
    }

    /// The length of a value when it is sealed.
    package static func sealedLength(of count: Int) -> Int {
        idLength + nonceLength + (count / block + 1) * block + macLength
    }

    package func seal(_ value: [UInt8], at place: SealedPlace) -> [UInt8] {
        value.withUnsafeBytes { seal($0, at: place, SecureRandom.fill) }
    }

    /// Seals the same value at the same place always alike, for values that somebody compares. Who sees two of them learns whether the values
    /// are equal. The nonce is a hash of both under the key, as in SIV (RFC 5297).
    package func sealAlike(_ value: [UInt8], at place: SealedPlace) -> [UInt8] {
        value.withUnsafeBytes { bytes in
            seal(bytes, at: place) { nonce in
                withAssociatedData(of: place) { associated in
                    key.withUnsafeBytes { key in SealingKey.hash(associated, bytes, key, into: nonce) }
                }
            }
        }
    }

    private static func hash(
        _ associated: UnsafeMutableBufferPointer<UInt8>,
        _ value: UnsafeRawBufferPointer,
        _ key: UnsafeRawBufferPointer,
        into nonce: UnsafeMutableRawBufferPointer
    ) {
        // Apart from all other uses of the key.
        let purpose: [UInt8] = Array("kinfolk/nonce\0\0\0".utf8)
        var message = withUnsafeBytes(of: UInt64(associated.count).littleEndian) { Array($0) }
        message += associated
        message += value
        guard let output = nonce.baseAddress else { return }
        crypto_generichash_blake2b_salt_personal(
            output,
            nonce.count,
            message,
            UInt64(message.count),
            key.baseAddress,
            key.count,
            nil,
            purpose
        )
        message.withUnsafeMutableBytes { bytes in
            if let base = bytes.baseAddress { sodium_memzero(base, bytes.count) }
        }
    }

    package func seal(_ value: UnsafeRawBufferPointer, at place: SealedPlace) -> [UInt8] {
        seal(value, at: place, SecureRandom.fill)
    }

    private func seal(
        _ value: UnsafeRawBufferPointer,
        at place: SealedPlace,
        _ fillNonce: (UnsafeMutableRawBufferPointer) -> Void
    ) -> [UInt8] {
        let padded = (value.count / SealingKey.block + 1) * SealingKey.block
        let start = SealingKey.idLength + SealingKey.nonceLength
        let total = start + padded + SealingKey.macLength
        return [UInt8](unsafeUninitializedCapacity: total) { output, count in
            guard let base = output.baseAddress else { return }
            base.initialize(repeating: 0, count: total)
            UnsafeMutableRawBufferPointer(output).copyBytes(from: id)
            let nonce = base + SealingKey.idLength
            fillNonce(UnsafeMutableRawBufferPointer(start: nonce, count: SealingKey.nonceLength))
            let message = base + start
            if let source = value.baseAddress {
                UnsafeMutableRawPointer(message).copyMemory(from: source, byteCount: value.count)
            }
            message[value.count] = 0x80
            withAssociatedData(of: place) { associated in
                key.withUnsafeBytes { key in
                    guard let key = key.baseAddress else { return }
                    crypto_aead_xchacha20poly1305_ietf_encrypt(
                        message,
                        nil,
                        message,
                        UInt64(padded),
                        associated.baseAddress,
                        UInt64(associated.count),
                        nil,
                        nonce,
                        key.assumingMemoryBound(to: UInt8.self)
                    )
                }
            }
            count = total
        }
    }

    /// Calls `body` with what binds a value to its place: the key's ID and the place.
    private func withAssociatedData<Result>(
        of place: SealedPlace,
        _ body: (UnsafeMutableBufferPointer<UInt8>) -> Result
    ) -> Result {
        let count = SealingKey.idLength + place.bytes.count
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { associated in
            let bytes = UnsafeMutableRawBufferPointer(associated)
            bytes.copyBytes(from: id)
            UnsafeMutableRawBufferPointer(rebasing: bytes[SealingKey.idLength...]).copyBytes(from: place.bytes)
            return body(associated)
        }
    }

    /// Whether a value was sealed under this key, according to the ID in the value.
    package func canOpen(_ sealed: UnsafeRawBufferPointer) -> Bool {
        guard sealed.count >= SealingKey.idLength else { return false }
        return sealed.loadUnaligned(as: UInt32.self) == number
    }

    package func open(_ sealed: [UInt8], at place: SealedPlace) throws -> [UInt8] {
        try sealed.withUnsafeBytes { try open($0, at: place) }
    }

    package func open(_ sealed: UnsafeRawBufferPointer, at place: SealedPlace) throws -> [UInt8] {
        let start = SealingKey.idLength + SealingKey.nonceLength
        let padded = sealed.count - start - SealingKey.macLength
        guard padded >= SealingKey.block, padded % SealingKey.block == 0,
            canOpen(sealed),
            let base = sealed.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { throw CryptoError.notAuthentic }
        var opened = false
        var value = [UInt8](unsafeUninitializedCapacity: padded) { output, count in
            opened = withAssociatedData(of: place) { associated in
                key.withUnsafeBytes { key in
                    guard let key = key.baseAddress else { return false }
                    return crypto_aead_xchacha20poly1305_ietf_decrypt(
                        output.baseAddress,
                        nil,
                        nil,
                        base + start,
                        UInt64(padded + SealingKey.macLength),
                        associated.baseAddress,
                        UInt64(associated.count),
                        base + SealingKey.idLength,
                        key.assumingMemoryBound(to: UInt8.self)
                    ) == 0
                }
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
