import KinfolkThreads

/// A flag that one thread sets and others wait for.
final class Flag: Sendable {
    private let value = Lock(false)

    var isSet: Bool { value.withLock { $0 } }

    func set() { value.withLock { $0 = true } }

    /// Waits until it is set.
    func wait() { _ = value.withLock(when: { $0 }, until: .never) { _ in } }
}
