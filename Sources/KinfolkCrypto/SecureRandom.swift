import CSodium

/// Random numbers from the operating system's generator, through libsodium.
package enum SecureRandom {
    package static func fill(_ bytes: UnsafeMutableRawBufferPointer) {
        guard Sodium.isReady, let start = bytes.baseAddress else { return }
        randombytes_buf(start, bytes.count)
    }

    package static func bytes(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        bytes.withUnsafeMutableBytes(fill)
        return bytes
    }

    /// A uniformly distributed number below `bound`.
    package static func number(below bound: UInt32) -> UInt32 {
        _ = Sodium.isReady
        return randombytes_uniform(bound)
    }
}
