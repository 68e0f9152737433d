import HTTPTransport
import NIOCore

/// A value of `listen`.
enum ListenAddress: Equatable {
    case address(host: String, port: Int, isIPv6: Bool)
    case systemd

    init?(_ text: String) {
        guard text != "systemd" else {
            self = .systemd
            return
        }
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (0...65_535).contains(port)
        else { return nil }
        let host = text[..<colon]
        if host.first == "[", host.last == "]" {
            self = .address(host: String(host.dropFirst().dropLast()), port: port, isIPv6: true)
        } else {
            guard !host.isEmpty, !host.contains(where: { $0 == ":" || $0 == "/" || $0.isWhitespace }) else {
                return nil
            }
            self = .address(host: String(host), port: port, isIPv6: false)
        }
    }

    static let form = "an address such as 127.0.0.1:8080 or [::]:443, or systemd"

    /// The address as part of a URL.
    var text: String {
        switch self {
        case .address(let host, let port, let isIPv6): isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .systemd: "systemd"
        }
    }

    /// Whether only programs on this machine reach it.
    var isLoopback: Bool {
        guard case .address(let host, _, _) = self else { return false }
        return host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }

    /// Whether the system chooses the port.
    var isAnyPort: Bool { if case .address(_, 0, _) = self { true } else { false } }

    /// Whether it is an address, or a name that can be resolved.
    var isKnown: Bool {
        guard case .address(let host, let port, _) = self else { return true }
        return (try? SocketAddress.makeAddressResolvingHost(host, port: port)) != nil
    }

    /// What the transport binds.
    func listeners() throws(Failure) -> [Listener] {
        switch self {
        case .systemd:
            let sockets = InheritedSockets.take()
            guard !sockets.isEmpty else {
                throw Failure(
                    ExitStatus.configuration,
                    "systemd has passed no sockets, but the service is to listen on them."
                )
            }
            return sockets.map(Listener.inherited)
        case .address(let host, let port, _):
            guard let address = try? SocketAddress.makeAddressResolvingHost(host, port: port) else {
                throw Failure(ExitStatus.configuration, "The address \(text) cannot be resolved.")
            }
            return [.address(address)]
        }
    }
}
