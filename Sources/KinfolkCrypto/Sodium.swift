import CSodium

enum Sodium {
    /// Whether libsodium has started. Safe to ask from any thread.
    static let isReady = sodium_init() >= 0
}

/// Overwrites memory with zeros in a way that no compiler leaves out.
package func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
    if let start = bytes.baseAddress { sodium_memzero(start, bytes.count) }
}
