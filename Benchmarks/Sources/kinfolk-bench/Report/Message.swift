import Glibc

/// What is said beside the figures.
enum Message {
    static func print(_ text: String) {
        let line = Array((text + "\n").utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }
}
