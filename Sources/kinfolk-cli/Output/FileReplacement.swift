import Glibc
import Kinfolk
import KinfolkFiles
import KinfolkStorage

/// Replaces the content of a file atomically: a reader always sees the complete old content or the complete new content.
///
/// The new file is created before the content is known, so that a place that cannot be written is detected first.
final class FileReplacement {
    private let path: FilePath
    private let draft: FilePath
    private let descriptor: Int32

    init(_ path: FilePath) throws(KinfolkError) {
        self.path = path
        draft = path + ".\(getpid()).new"
        descriptor = open(draft.cString, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw File.failure(errno, path) }
    }

    /// Refuses to replace a file that the command uses otherwise, under whatever name.
    static func refuse(_ path: FilePath?, ifOneOf others: [FilePath?]) throws(KinfolkError) {
        guard let path else { return }
        for other in others {
            guard let other, File.isSame(path, other) else { continue }
            throw KinfolkError(.invalidArgument, "\(path.shown) is in use for something else: name another file.")
        }
    }

    deinit {
        close(descriptor)
        // It no longer exists if it has replaced the file.
        unlink(draft.cString)
    }

    func finish(with content: [UInt8]) throws(KinfolkError) {
        var rest = content[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw File.failure(errno, path) }
            rest = rest.dropFirst(count)
        }
        guard fsync(descriptor) == 0, rename(draft.cString, path.cString) == 0 else { throw File.failure(errno, path) }
    }
}
