import Glibc

/// The three standard streams.
enum Streams {
    /// The output could not be written.
    struct OutputFailed: Error {}

    /// Opens the standard streams that are closed, so that no file that is opened later gets one of their numbers: otherwise
    /// the answer, written to a closed standard output, could end in the store.
    static func guardClosedOnes() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            // Opened in the wrong mode on purpose, so that using it fails.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
        // Some programs start others with this signal ignored. With its default, a reader that closes the pipe ends this process quietly.
        signal(SIGPIPE, SIG_DFL)
    }

    static func write(_ text: String, to descriptor: Int32) throws(OutputFailed) {
        var text = text
        let result = text.withUTF8 { bytes in
            Result { () throws(OutputFailed) in try write(UnsafeRawBufferPointer(bytes), to: descriptor) }
        }
        try result.get()
    }

    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(OutputFailed) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let count = Glibc.write(descriptor, part.baseAddress, part.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw OutputFailed() }
            rest = rest.dropFirst(count)
        }
    }

    /// To standard error. A failure to write there is ignored.
    static func complain(_ text: String) { try? write(text, to: STDERR_FILENO) }
}
