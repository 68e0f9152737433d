import Glibc

/// Tells systemd about the state of the service (sd_notify(3)).
struct NotifySocket {
    private let path: String

    /// Nil if systemd does not want to know.
    init?() {
        guard let value = getenv("NOTIFY_SOCKET") else { return nil }
        path = String(cString: value)
        guard path.first == "/" || path.first == "@" else { return nil }
    }

    /// The time after which systemd ends a service that does not report that it works, in microseconds. Nil without a watchdog.
    static var watchdog: Int? {
        guard let value = getenv("WATCHDOG_USEC"), let time = Int(String(cString: value)), time > 0 else { return nil }
        if let process = getenv("WATCHDOG_PID"), Int32(String(cString: process)) != getpid() { return nil }
        return time
    }

    func send(_ state: String) {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var name = Array(path.utf8)
        // An abstract address begins with a NUL.
        if name.first == UInt8(ascii: "@") { name[0] = 0 }
        let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        guard name.count < MemoryLayout<sockaddr_un>.size - offset else { return }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let length = socklen_t(offset + name.count)
        let message = Array(state.utf8)
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, message, message.count, Int32(MSG_NOSIGNAL), $0, length)
            }
        }
    }
}
