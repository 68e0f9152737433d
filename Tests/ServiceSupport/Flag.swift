import KinfolkThreads

/// A flag that one thread sets and others wait for.
package final class Flag: Sendable {
    private let value = Lock(false)

    package init() {}

    package var isSet: Bool { value.withLock { $0 } }

    package func set() { value.withLock { $0 = true } }

    /// Waits until it is set.
    package func wait() { _ = value.withLock(when: { $0 }, until: .never) { _ in } }
}
