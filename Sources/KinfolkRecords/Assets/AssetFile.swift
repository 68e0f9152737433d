import Glibc
package import KinfolkFiles
package import KinfolkModel

/// A file of the caller whose content becomes an asset.
package final class AssetFile {
    private let descriptor: Int32
    private let before: stat
    /// Its size when it was opened.
    package var size: Int { Int(before.st_size) }

    /// Opens a regular file. A device or a pipe could block or have no end.
    ///
    /// - Parameter folder: The folder of the file, whose path is then a name, and not that of a link; nil for a path that may be anywhere.
    package init(reading path: FilePath, in folder: OpenFolder? = nil) throws(KinfolkError) {
        try AssetFile.check(path)
        let flags = O_NONBLOCK | O_NOCTTY | (folder == nil ? 0 : O_NOFOLLOW)
        descriptor = try AssetFile.attempt { () throws(FileFailure) in
            try FilesInUse.open(path, in: folder, flags)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw KinfolkError(.invalidArgument, "An asset is made of a regular file, and not of a folder or a device.")
        }
        before = status
    }

    deinit { close(descriptor) }

    private static func check(_ path: FilePath) throws(KinfolkError) {
        guard path.isValid else {
            throw KinfolkError(.invalidArgument, "A path is not empty and has no NUL.")
        }
    }

    private static func attempt<Result>(_ body: () throws(FileFailure) -> Result) throws(KinfolkError) -> Result {
        do throws(FileFailure) { return try body() } catch { throw failure(error.number) }
    }

    private static func failure(_ code: Int32) -> KinfolkError {
        switch code {
        case FileFailure.inUseNumber: .fileInUse
        // ESRCH: a file of /proc whose process has ended.
        case ENOENT, ENOTDIR, ENAMETOOLONG, ESRCH: KinfolkError(.assetFileNotFound, "There is no such file.")
        case EACCES, EPERM, ELOOP: KinfolkError(.permissionFailure, "The file may not be used.")
        case EISDIR, ENXIO: KinfolkError(.invalidArgument, "An asset is made of a regular file.")
        case EINVAL, EILSEQ: KinfolkError(.invalidArgument, "The file system cannot have a file with this name.")
        case ENOSPC, EDQUOT: KinfolkError(.serviceUnavailable, "The disk is full.")
        default: KinfolkError(.serviceUnavailable, "The file could not be read or written (error \(code)).")
        }
    }

    /// Calls `body` with the pieces of the file from its beginning, and how many bytes it has had.
    ///
    /// - Throws: ``KinfolkError/Code/assetFileModified`` if the file was changed meanwhile.
    package func forEachPiece(
        ofLength length: Int,
        _ body: (UnsafeRawBufferPointer, _ done: Int) throws(KinfolkError) -> Void
    ) throws(KinfolkError) {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw AssetFile.failure(errno) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 16)
        defer { buffer.deallocate() }
        var done = 0
        while true {
            let count = Glibc.read(descriptor, buffer.baseAddress, length)
            guard count >= 0 else {
                if errno == EINTR { continue }
                throw AssetFile.failure(errno)
            }
            guard count > 0 else { break }
            done += count
            guard done <= size else { throw AssetFile.modified }
            try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]), done)
        }
        var after = stat()
        guard done == size, fstat(descriptor, &after) == 0, after.st_mtim.tv_sec == before.st_mtim.tv_sec,
            after.st_mtim.tv_nsec == before.st_mtim.tv_nsec
        else { throw AssetFile.modified }
    }

    private static var modified: KinfolkError {
        KinfolkError(.assetFileModified, "The file was changed while it was read.")
    }

    // MARK: Writing

    /// Writes a file, which takes its place at once when it is complete and on disk. A file with this name is replaced.
    ///
    /// - Parameters:
    ///   - folder: The folder of the file, whose path is then a name; nil for a path that may be anywhere.
    ///   - body: Called until it returns no more bytes.
    static func write(
        to path: FilePath,
        in folder: OpenFolder? = nil,
        _ body: (UnsafeMutableRawBufferPointer) throws(KinfolkError) -> Int
    ) throws(KinfolkError) {
        try check(path)
        let draft = try attempt { () throws(FileFailure) in try FileDraft(of: path, mode: 0o666, in: folder) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { buffer.deallocate() }
        while case let count = try body(buffer), count > 0 {
            try attempt { () throws(FileFailure) in
                try draft.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
        }
        try attempt(draft.replace)
    }
}
