public import NIOCore

/// Where a server waits for connections.
public enum Listener: Sendable, Equatable {
    case address(SocketAddress)
    /// A socket that another process opened and that listens already.
    case inherited(CInt)
}
