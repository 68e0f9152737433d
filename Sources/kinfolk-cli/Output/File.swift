import Glibc
import Kinfolk

/// Files of the caller's: what a command reads whole or puts in another's place.
enum File {
    /// The whole content. A missing file is an unknown item, one longer than the limit is refused.
    static func read(_ path: String, limit: Int) throws(KinfolkError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw failure(path) }
            guard count > 0 else { return content }
            content.append(contentsOf: buffer[..<count])
            guard content.count <= limit else {
                throw KinfolkError(.limitExceeded, "The file \(path) is longer than \(limit) bytes.")
            }
        }
    }

    /// Puts the content in the file's place at once: whoever reads it sees the old or the new one, whatever happens.
    static func replace(_ path: String, with content: [UInt8]) throws(KinfolkError) {
        let draft = path + ".\(getpid()).new"
        let descriptor = open(draft, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(path) }
        var rest = content[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        let isWritten = rest.isEmpty && fsync(descriptor) == 0
        close(descriptor)
        guard isWritten, rename(draft, path) == 0 else {
            defer { unlink(draft) }
            throw failure(path)
        }
    }

    private static func failure(_ path: String) -> KinfolkError {
        switch errno {
        case ENOENT, ENOTDIR: KinfolkError(.unknownItem, "There is no file at \(path).")
        case EACCES, EPERM, EROFS: KinfolkError(.permissionFailure, "The file \(path) may not be used.")
        case EISDIR: KinfolkError(.invalidArgument, "\(path) is a folder.")
        default: KinfolkError(.serviceUnavailable, "The file \(path) cannot be read or written.")
        }
    }
}
