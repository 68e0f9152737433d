import Kinfolk
import KinfolkThreads

/// What stands behind a handle of the C API. It knows the process that it was made in.
class Handle: @unchecked Sendable {
    private let fork = Fork.generation

    /// Whether it was made before a fork, in the parent. Its locks may be taken by threads that do not exist here.
    var isInherited: Bool { fork != Fork.generation }
}

/// A service behind a handle.
final class ServiceHandle: Handle, @unchecked Sendable {
    let service: Service

    init(_ service: Service) { self.service = service }
}
