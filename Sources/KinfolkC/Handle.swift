import KinfolkThreads

/// The object behind a handle of the C API. It records the process in which it was made.
class Handle: @unchecked Sendable {
    private let fork = Fork.generation

    /// Whether it was made before a fork, in the parent. Its locks may be held by threads that do not exist in this process.
    var isInherited: Bool { fork != Fork.generation }
}
