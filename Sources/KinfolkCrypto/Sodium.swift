import CSodium

enum Sodium {
    /// Whether libsodium is initialized. May be read from any thread.
    static let isReady = sodium_init() >= 0
}

/// Overwrites memory with zeros in a way that no compiler optimizes away.
package func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
    if let start = bytes.baseAddress { sodium_memzero(start, bytes.count) }
}
