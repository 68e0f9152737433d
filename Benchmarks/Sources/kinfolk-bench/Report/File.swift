import Glibc

/// A file that is truncated and written.
final class File {
    private let stream: UnsafeMutablePointer<FILE>

    init(_ path: String) throws {
        guard let stream = fopen(path, "w") else { throw Failure("\(path) cannot be written.") }
        self.stream = stream
    }

    deinit { fclose(stream) }

    func write(_ text: String) {
        fputs(text, stream)
        fflush(stream)
    }
}
