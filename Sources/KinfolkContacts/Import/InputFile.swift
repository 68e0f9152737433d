import Glibc
package import KinfolkFiles
package import KinfolkModel

/// A file, pipe or device that is read from its beginning, in pieces.
package struct InputFile: ~Copyable {
    /// How many bytes to read at once.
    package static let pieceByteCount = 1 << 18

    private let descriptor: Int32

    /// - Throws: `unknownItem` if there is no such file, `permissionFailure` if it may not be read, `invalidArgument` if it belongs to an open
    ///   store.
    package init(path: FilePath) throws(KinfolkError) {
        guard path.isValid else {
            throw KinfolkError(.invalidArgument, "The path of a file is empty or contains a NUL.")
        }
        do throws(FileFailure) { descriptor = try FilesInUse.open(path, O_NOCTTY) } catch {
            throw Self.failure(error.number)
        }
    }

    deinit {
        close(descriptor)
    }

    /// The length of the file in bytes, or nil if it is not known in advance, as with a pipe.
    package var byteCount: Int? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    /// Fills the buffer from the file. Returns less than the length of the buffer only at the end of the file.
    package borrowing func read(into buffer: UnsafeMutableRawBufferPointer) throws(KinfolkError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = Glibc.read(descriptor, part.baseAddress, part.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Self.failure(errno) }
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    private static func failure(_ number: Int32) -> KinfolkError {
        switch number {
        case FileFailure.inUseNumber: .fileInUse
        case ENOENT, ENOTDIR, ENAMETOOLONG, ELOOP: KinfolkError(.unknownItem, "There is no such file.")
        case EACCES, EPERM: KinfolkError(.permissionFailure, "The file may not be read.")
        case EISDIR: KinfolkError(.invalidArgument, "This is a directory, not a file.")
        default: KinfolkError(.serviceUnavailable, "The file cannot be read (system error \(number)).")
        }
    }
}
