import CSodium

/// The key of one file, which is sealed in chunks of ``chunkLength`` bytes.
///
/// A sealed chunk is a random nonce (24 bytes), and XChaCha20-Poly1305 of the chunk with its number (8 bytes, little-endian) and
/// whether it is the last one (1 byte) as associated data. So no chunk can be dropped, swapped, repeated or taken from another file.
/// The last chunk is padded with zeros to a multiple of ``padding`` bytes: the store shows the size of a file only roughly.
package struct ChunkKey: Sendable {
    /// The length of each chunk but the last one.
    package static let chunkLength = 256 << 10
    package static let padding = 4_096

    private static let nonceLength = Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES)
    private static let macLength = Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)
    /// How many bytes a sealed chunk has more than its content.
    package static let overhead = nonceLength + macLength

    private let key: SecretKey

    package init(_ key: SecretKey) { self.key = key }

    /// How many chunks a file has: at least one.
    package static func chunkCount(ofSize size: Int) -> Int {
        max(1, size / chunkLength + (size % chunkLength > 0 ? 1 : 0))
    }

    /// The length of a chunk when it is sealed.
    package static func sealedLength(of count: Int, isLast: Bool) -> Int {
        overhead + (isLast ? max(1, (count + padding - 1) / padding) * padding : count)
    }

    /// The length of all chunks of a file when they are sealed.
    package static func sealedLength(ofSize size: Int) -> Int {
        let last = chunkCount(ofSize: size) - 1
        return last * (overhead + chunkLength) + sealedLength(of: size - last * chunkLength, isLast: true)
    }

    package func seal(_ chunk: UnsafeRawBufferPointer, number: Int, isLast: Bool) -> [UInt8] {
        let total = ChunkKey.sealedLength(of: chunk.count, isLast: isLast)
        return [UInt8](unsafeUninitializedCapacity: total) { output, count in
            guard let nonce = output.baseAddress else { return }
            let message = nonce + ChunkKey.nonceLength
            let length = total - ChunkKey.overhead
            SecureRandom.fill(UnsafeMutableRawBufferPointer(start: nonce, count: ChunkKey.nonceLength))
            // A chunk without padding is sealed from where it is.
            var source = chunk.baseAddress?.assumingMemoryBound(to: UInt8.self)
            if length > chunk.count {
                if let source { message.initialize(from: source, count: chunk.count) }
                (message + chunk.count).initialize(repeating: 0, count: length - chunk.count)
                source = UnsafePointer(message)
            }
            _ = withKey(number, isLast) { key, associated in
                crypto_aead_xchacha20poly1305_ietf_encrypt(
                    message,
                    nil,
                    source,
                    UInt64(length),
                    associated.baseAddress,
                    UInt64(associated.count),
                    nil,
                    nonce,
                    key
                )
            }
            count = total
        }
    }

    /// Opens a chunk into memory of its length, with its padding.
    package func open(
        _ sealed: UnsafeRawBufferPointer,
        number: Int,
        isLast: Bool,
        into output: UnsafeMutableRawBufferPointer
    ) throws {
        guard sealed.count == output.count + ChunkKey.overhead,
            let base = sealed.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { throw CryptoError.notAuthentic }
        let isOpened = withKey(number, isLast) { key, associated in
            crypto_aead_xchacha20poly1305_ietf_decrypt(
                output.baseAddress?.assumingMemoryBound(to: UInt8.self),
                nil,
                nil,
                base + ChunkKey.nonceLength,
                UInt64(output.count + ChunkKey.macLength),
                associated.baseAddress,
                UInt64(associated.count),
                base,
                key
            ) == 0
        }
        guard isOpened == true else { throw CryptoError.notAuthentic }
    }

    private func withKey<Result>(
        _ number: Int,
        _ isLast: Bool,
        _ body: (UnsafePointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result? {
        var associated = withUnsafeBytes(of: UInt64(number.magnitude).littleEndian, Array.init)
        associated.append(isLast ? 1 : 0)
        return associated.withUnsafeBufferPointer { associated in
            key.withUnsafeBytes { key in
                key.baseAddress.map { body($0.assumingMemoryBound(to: UInt8.self), associated) }
            }
        }
    }
}
