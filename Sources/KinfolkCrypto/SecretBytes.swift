import CSodium
import KinfolkThreads

/// Secret bytes in separate memory: locked against swapping, between guard pages, zeroed when they are freed.
package final class SecretBytes: @unchecked Sendable {
    package let count: Int
    private let memory: UnsafeMutableRawPointer
    private let isLocked: Bool

    /// How many secrets of this process are not in locked memory, and whether locking is required.
    private struct Locking {
        var unlocked = 0
        var isRequired = false
    }

    private static let locking = Lock(Locking())

    /// Whether every secret of this process is in locked memory. The system locks no more than `RLIMIT_MEMLOCK`.
    package static var areAllLocked: Bool { locking.withLock { $0.unlocked == 0 } }

    /// From now on, in the whole process, creating a secret fails if it cannot be locked.
    ///
    /// - Throws: ``CryptoError/notLocked`` if an unlocked secret exists already. Locking is then not required.
    package static func requireLocking() throws {
        let isPossible = locking.withLock { locking in
            if locking.unlocked == 0 { locking.isRequired = true }
            return locking.unlocked == 0
        }
        guard isPossible else { throw CryptoError.notLocked }
    }

    /// Allocates `count` bytes and lets `fill` write them.
    package init(count: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) throws {
        guard Sodium.isReady, let memory = sodium_malloc(count) else { throw CryptoError.unavailable }
        // sodium_malloc tries to lock the memory, but does not report whether it could. Locking it again reports that, and does not
        // use up more of the limit.
        let isLocked = count == 0 || sodium_mlock(memory, count) == 0
        let isRefused =
            !isLocked
            && SecretBytes.locking.withLock { locking in
                if !locking.isRequired { locking.unlocked += 1 }
                return locking.isRequired
            }
        guard !isRefused else {
            sodium_free(memory)
            throw CryptoError.notLocked
        }
        self.isLocked = isLocked
        self.count = count
        self.memory = memory
        fill(UnsafeMutableRawBufferPointer(start: memory, count: count))
        // The bytes are never written again: from here on a stray write causes a fault, and cannot change a key.
        sodium_mprotect_readonly(memory)
    }

    package convenience init(copying bytes: UnsafeRawBufferPointer) throws {
        try self.init(count: bytes.count) { $0.copyMemory(from: bytes) }
    }

    deinit {
        sodium_free(memory)
        if !isLocked { SecretBytes.locking.withLock { $0.unlocked -= 1 } }
    }

    package func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: memory, count: count))
    }

    /// Compares in constant time: the time does not depend on the content.
    package func equals(_ other: UnsafeRawBufferPointer) -> Bool {
        guard other.count == count else { return false }
        return other.baseAddress.map { sodium_memcmp(memory, $0, count) == 0 } ?? true
    }
}

extension SecretBytes: CustomStringConvertible, CustomReflectable {
    package var description: String { "SecretBytes(\(count) bytes)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
