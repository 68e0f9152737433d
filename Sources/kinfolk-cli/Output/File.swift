import Glibc
import Kinfolk
import KinfolkFiles
import KinfolkStorage

/// Files of the user.
enum File {
    /// The whole content. A missing file is an unknown item; a file that is longer than the limit is refused.
    static func read(_ path: FilePath, limit: Int) throws(KinfolkError) -> [UInt8] {
        let descriptor: Int32
        do throws(FileFailure) { descriptor = try FilesInUse.open(path) } catch { throw failure(error.number, path) }
        defer { close(descriptor) }
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw failure(errno, path) }
            guard count > 0 else { return content }
            content.append(contentsOf: buffer[..<count])
            guard content.count <= limit else {
                throw KinfolkError(.limitExceeded, "The file \(path.shown) is longer than \(limit) bytes.")
            }
        }
    }

    /// In bytes; 0 if the file does not exist.
    static func size(of path: FilePath) -> Int {
        var status = stat()
        return stat(path.cString, &status) == 0 ? Int(status.st_size) : 0
    }

    static func exists(_ path: FilePath) -> Bool { access(path.cString, F_OK) == 0 }

    /// The error of a file in a folder that does not exist; nil if the folder exists.
    static func missingFolder(of path: FilePath) -> KinfolkError? {
        guard !StoreFile.isServer(path), !exists(path.folder), errno == ENOENT else { return nil }
        let folder = path.folder.dropLast(1).shown
        return KinfolkError(.unknownItem, "The folder \(folder) does not exist. Make it first: mkdir -p \(folder)")
    }

    /// Whether both paths lead to the same file, which exists.
    static func isSame(_ path: FilePath, _ other: FilePath) -> Bool {
        var (first, second) = (stat(), stat())
        guard stat(path.cString, &first) == 0, stat(other.cString, &second) == 0 else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    static func failure(_ number: Int32, _ path: FilePath) -> KinfolkError {
        switch number {
        case FileFailure.inUseNumber:
            KinfolkError(.invalidArgument, "\(path.shown) belongs to the open store: name another file.")
        case ENOENT, ENOTDIR:
            missingFolder(of: path) ?? KinfolkError(.unknownItem, "There is no file or folder at \(path.shown).")
        case EACCES, EPERM, EROFS: KinfolkError(.permissionFailure, "The file \(path.shown) may not be used.")
        case EISDIR, ELOOP: KinfolkError(.invalidArgument, "\(path.shown) is not a regular file.")
        case ENOSPC, EDQUOT:
            KinfolkError(.serviceUnavailable, "The disk is full: the file \(path.shown) was not written.")
        default: KinfolkError(.serviceUnavailable, "The file \(path.shown) cannot be read or written.")
        }
    }
}
