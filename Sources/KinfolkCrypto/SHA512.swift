import CSodium

/// SHA-512 (FIPS 180-4) of a message that is given in pieces.
struct SHA512 {
    static let length = Int(crypto_hash_sha512_BYTES)
    static let blockLength = 128

    private var state = crypto_hash_sha512_state()

    init() { crypto_hash_sha512_init(&state) }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        crypto_hash_sha512_update(&state, start.assumingMemoryBound(to: UInt8.self), UInt64(bytes.count))
    }

    mutating func update(_ bytes: UnsafePointer<UInt8>, count: Int) {
        crypto_hash_sha512_update(&state, bytes, UInt64(count))
    }

    mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

    mutating func update(_ text: StaticString) { update(text.utf8Start, count: text.utf8CodeUnitCount) }

    mutating func update(byte: UInt8) { withUnsafeBytes(of: byte) { update($0) } }

    /// A number below 65,536 as two bytes, the high one first: I2OSP(number, 2) of RFC 8017.
    mutating func update(number: Int) {
        withUnsafeBytes(of: UInt16(truncatingIfNeeded: number).bigEndian) { update($0) }
    }

    /// The number of bytes (at most 65,535), and then the bytes.
    mutating func update(counted bytes: UnsafeRawBufferPointer) {
        update(number: bytes.count)
        update(bytes)
    }

    mutating func update(counted bytes: UnsafePointer<UInt8>, count: Int) {
        update(number: count)
        update(bytes, count: count)
    }

    /// Writes the hash to the 64 bytes at `digest`, and wipes the state.
    mutating func finish(into digest: UnsafeMutablePointer<UInt8>) { crypto_hash_sha512_final(&state, digest) }
}
