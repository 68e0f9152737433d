import ArgumentParser
import Glibc
import Kinfolk
import KinfolkFiles
import KinfolkStorage

/// An argument that is a path may be any bytes.
extension FilePath: ExpressibleByArgument {
    package init?(argument: String) { self = CarriedBytes.path(argument) }

    /// `-`, which stands for standard input.
    var isStandardInput: Bool { text == "-" }

    /// `-`, which stands for standard output.
    var isStandardOutput: Bool { text == "-" }

    /// The file that a command reads.
    var input: FilePath { isStandardInput ? FilePath("/dev/stdin") : self }

    /// Calls `body` with a text by which the library finds the file, which must exist. A path need not be UTF-8, but a text is.
    func withText<Result>(_ body: (String) throws(KinfolkError) -> Result) throws(KinfolkError) -> Result {
        if let text { return try body(text) }
        // Opening a pipe could wait for its other end, and opening a terminal could make it the terminal of this process.
        let descriptor = open(cString, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw File.failure(errno, self) }
        defer { close(descriptor) }
        return try body("/proc/self/fd/\(descriptor)")
    }
}
