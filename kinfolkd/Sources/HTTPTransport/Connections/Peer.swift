import NIOCore

/// The other end of a connection.
struct Peer {
    /// Nil for a socket in the file system.
    let address: NetworkAddress?
    let isTrusted: Bool
    /// The address as the services get it.
    let text: String

    init(_ address: SocketAddress?, _ proxies: TrustedProxies) {
        self.address = address?.ipAddress.flatMap { NetworkAddress($0[...]) }
        isTrusted = proxies.contains(self.address)
        text = self.address?.text ?? ""
    }

    /// Whether it is a program on this machine that is not trusted.
    var isUntrustedNeighbour: Bool { !isTrusted && address?.isLoopback != false }

    /// The network for which the connection counts; nil if it counts for none, because all clients come through this proxy.
    var countedNetwork: NetworkAddress? { isTrusted ? nil : address?.network }
}
