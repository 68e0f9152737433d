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

    /// How many bytes of the file's name the draft's name begins with: a name has at most 255.
    private static let longestPrefix = 230

    /// - Parameter mode: Who may use the file, before the mask of the process is applied.
    init(_ path: FilePath, mode: mode_t = 0o600) throws(KinfolkError) {
        self.path = path
        // The name of the file may have the greatest length already.
        let excess = max(0, path.nameLength - FileReplacement.longestPrefix)
        draft = path.dropLast(excess) + ".\(getpid()).new"
        descriptor = open(draft.cString, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, mode)
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

    /// Refuses to replace a folder, a link, a device or another special file: the new file would take its place.
    static func requireFile(_ path: FilePath) throws(KinfolkError) {
        var status = stat()
        guard lstat(path.cString, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
            throw KinfolkError(.invalidArgument, "\(path.shown) is not a regular file.")
        }
    }

    deinit {
        close(descriptor)
        // It no longer exists if it has replaced the file.
        unlink(draft.cString)
    }

    /// Writes the whole content, which then replaces the file's.
    func finish(with content: [UInt8]) throws(KinfolkError) {
        let result = content.withUnsafeBytes { content in
            Result { () throws(KinfolkError) in try write(content) }
        }
        try result.get()
        try finish()
    }

    /// Adds a part of the content.
    func write(_ part: UnsafeRawBufferPointer) throws(KinfolkError) {
        var rest = part[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let count = Glibc.write(descriptor, part.baseAddress, part.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw File.failure(errno, path) }
            rest = rest.dropFirst(count)
        }
    }

    /// Replaces the content of the file by what was written.
    func finish() throws(KinfolkError) {
        guard fsync(descriptor) == 0, rename(draft.cString, path.cString) == 0 else { throw File.failure(errno, path) }
    }
}
