import Glibc

/// Messages about progress, on the standard error.
enum Message {
    static func print(_ text: String) {
        let line = Array((text + "\n").utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }
}
