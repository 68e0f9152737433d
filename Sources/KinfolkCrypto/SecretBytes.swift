import CSodium

/// Secret bytes in memory of their own: locked against swapping, between guard pages, zeroed when they go.
package final class SecretBytes: @unchecked Sendable {
    package let count: Int
    private let memory: UnsafeMutableRawPointer

    /// Makes room for `count` bytes and lets `fill` write them.
    package init(count: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) throws {
        guard Sodium.isReady, let memory = sodium_malloc(count) else { throw CryptoError.unavailable }
        self.count = count
        self.memory = memory
        fill(UnsafeMutableRawBufferPointer(start: memory, count: count))
        // Written once: from here on a stray write ends in a fault instead of a changed key.
        sodium_mprotect_readonly(memory)
    }

    package convenience init(copying bytes: UnsafeRawBufferPointer) throws {
        try self.init(count: bytes.count) { $0.copyMemory(from: bytes) }
    }

    deinit { sodium_free(memory) }

    package func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: memory, count: count))
    }

    /// Compares in a time that tells nothing about the content.
    package func equals(_ other: UnsafeRawBufferPointer) -> Bool {
        guard other.count == count else { return false }
        return other.baseAddress.map { sodium_memcmp(memory, $0, count) == 0 } ?? true
    }
}

extension SecretBytes: CustomStringConvertible, CustomReflectable {
    package var description: String { "SecretBytes(\(count) bytes)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
