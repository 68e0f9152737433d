import Glibc

/// The sockets that systemd passes to the service (sd_listen_fds(3)).
enum InheritedSockets {
    private static let first: Int32 = 3

    static var count: Int {
        guard let process = getenv("LISTEN_PID"), Int32(String(cString: process)) == getpid(),
            let value = getenv("LISTEN_FDS"),
            let count = Int(String(cString: value)), (0...64).contains(count)
        else { return 0 }
        return count
    }

    /// Takes the sockets that listen for streams; child processes do not get them.
    static func take() -> [Int32] {
        let sockets = (0..<Int32(count)).map { first + $0 }
        for socket in sockets { _ = fcntl(socket, F_SETFD, FD_CLOEXEC) }
        return sockets.filter { option($0, SO_ACCEPTCONN) == 1 && option($0, SO_TYPE) == Int32(SOCK_STREAM.rawValue) }
    }

    private static func option(_ socket: Int32, _ name: Int32) -> Int32? {
        var (value, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        return getsockopt(socket, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
    }
}
