import Glibc

/// Standard output, without a buffer.
enum Report {
    static func line(_ text: String) {
        let bytes = Array("\(text)\n".utf8)
        _ = write(STDOUT_FILENO, bytes, bytes.count)
    }
}
