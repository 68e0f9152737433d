import Glibc
import Kinfolk
import KinfolkFiles
import KinfolkStorage

/// Reads standard input a piece at a time.
enum StandardInput {
    private static let pieceLength = 1 << 20
    /// How long to wait for bytes before `body` is called without any, in milliseconds.
    private static let patience: Int32 = 200

    /// Calls `body` with the bytes of standard input, until its end.
    ///
    /// - Parameter body: While nothing comes, it is called with no bytes a few times a second. So it can end the reading at Ctrl-C.
    static func forEachPiece(_ body: (UnsafeRawBufferPointer) throws(KinfolkError) -> Void) throws(KinfolkError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceLength, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            var waiting = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            // 0 after the time, and an error after a signal. A descriptor that cannot be read is ready, and `read` says what is wrong.
            guard poll(&waiting, 1, patience) > 0 else {
                try body(UnsafeRawBufferPointer(rebasing: buffer[..<0]))
                continue
            }
            let count = read(STDIN_FILENO, buffer.baseAddress, buffer.count)
            if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
            guard count >= 0 else { throw File.failure(errno, FilePath("/dev/stdin")) }
            guard count > 0 else { return }
            try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }
}
