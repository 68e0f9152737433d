import Glibc

/// Standard error, without a buffer.
enum StandardError {
    static func write(_ text: String) { write(Array(text.utf8)) }

    static func write(_ bytes: [UInt8]) {
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 else {
                guard count < 0, errno == EINTR else { return }
                continue
            }
            start += count
        }
    }
}
