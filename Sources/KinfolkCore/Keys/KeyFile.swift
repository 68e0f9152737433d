import Glibc
package import KinfolkCrypto
package import KinfolkFiles
import KinfolkModel
import KinfolkStorage
package import KinfolkThreads

/// A file that holds a service key: `kinfolk-key-1 `, 64 hexadecimal digits, and a line end. Only its owner may read it.
package enum KeyFile {
    private static let header = Array("kinfolk-key-1 ".utf8)

    /// The key in the file, or nil if there is no file.
    ///
    /// - Parameter role: What the file may be for an open store: its key or, with `nextKey`, its successor (``draft(for:)``).
    package static func read(_ path: FilePath, as role: FilesInUse.Role = .key) throws -> SecretKey? {
        // Without O_NONBLOCK, opening a pipe would wait for a writer.
        let file: Int32
        do throws(FileFailure) { file = try FilesInUse.open(path, O_NONBLOCK, as: role) } catch {
            switch error.number {
            case ENOENT, ENOTDIR: return nil
            case FileFailure.inUseNumber: throw KinfolkError.fileInUse
            default: throw KinfolkError(.permissionFailure, "This process may not read the key file.")
            }
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw KinfolkError(.keyMismatch, "The path of the key file is not that of a file.")
        }
        guard FileOwner.isTrusted(status, at: path) else {
            throw KinfolkError(
                .keyMismatch,
                """
                The key file belongs to another user, who may have planted it. Run this as the owner, or give the file to the \
                user that runs it (chown).
                """
            )
        }
        guard status.st_mode & 0o077 == 0 else {
            throw KinfolkError(
                .keyMismatch,
                "The key file may be read or written by others. Its mode must be 0600 (chmod 600)."
            )
        }
        // One byte more than a key with its line end (CRLF), so that trailing bytes are noticed.
        var content = [UInt8](repeating: 0, count: header.count + 2 * SecretKey.length + 3)
        defer { content.withUnsafeMutableBytes(wipe) }
        let count = content.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) }
        guard count > 0, let key = try parse(content[..<count]) else {
            throw KinfolkError(.keyMismatch, "The key file does not contain a Kinfolk key.")
        }
        return key
    }

    /// The key of a new key file, or of a key file that another process has just created.
    ///
    /// - Parameter other: The path of a key file in the same folder, whose owner and mode the new one gets.
    package static func make(
        _ path: FilePath,
        as role: FilesInUse.Role = .key,
        like other: FilePath? = nil
    ) throws -> SecretKey {
        try create(path, as: role, like: other)
        guard let key = try read(path, as: role) else {
            throw KinfolkError(.serviceUnavailable, "The key file was deleted while the store was created.")
        }
        return key
    }

    /// Creates a key file with a new key, unless another process has just created one.
    private static func create(_ path: FilePath, as role: FilesInUse.Role, like other: FilePath?) throws {
        var key = SecureRandom.bytes(SecretKey.length)
        defer { key.withUnsafeMutableBytes(wipe) }
        var content = [UInt8](repeating: 0, count: header.count + 2 * key.count + 1)
        defer { content.withUnsafeMutableBytes(wipe) }
        content.replaceSubrange(..<header.count, with: header)
        for (offset, digit) in Hexadecimal.digits(key).enumerated() { content[header.count + offset] = digit }
        content[content.count - 1] = UInt8(ascii: "\n")
        do throws(FileFailure) {
            let draft = try FileDraft(of: path, as: role, like: other?.name)
            try draft.write(content)
            try draft.place()
        } catch {
            if error.number != EEXIST { throw failure(error.number) }
        }
    }

    private static func parse(_ content: ArraySlice<UInt8>) throws -> SecretKey? {
        var digits = content
        // Removing them in place would leave a copy of the key in memory.
        while digits.last == UInt8(ascii: "\n") || digits.last == UInt8(ascii: "\r") { digits = digits.dropLast() }
        guard digits.starts(with: header) else { return nil }
        digits = digits.dropFirst(header.count)
        guard digits.count == 2 * SecretKey.length, var bytes = Hexadecimal.bytes(digits) else { return nil }
        defer { bytes.withUnsafeMutableBytes(wipe) }
        return try bytes.withUnsafeBytes(SecretKey.init(copying:))
    }

    /// Replaces the key file by a new one, and keeps the old file under another name. If a file with a different key already has
    /// that name, a number is appended.
    ///
    /// - Returns: The path of the old key file; nil if there was no key file.
    package static func replace(_ path: FilePath, by new: FilePath, keeping name: FilePath) throws -> FilePath? {
        let kept = try keep(path, as: name)
        guard rename(new.cString, path.cString) == 0 else { throw failure(errno) }
        Folder.sync(of: path)
        return kept
    }

    private static func keep(_ path: FilePath, as name: FilePath) throws -> FilePath? {
        for other in names(of: name) {
            if link(path.cString, other.cString) == 0 {
                // Restored backups from before the rotation are opened with the old key, next to which older ones are refused.
                let counter = CounterFile.path(ofKey: other).cString
                unlink(counter)
                link(CounterFile.path(ofKey: path).cString, counter)
                return other
            }
            switch errno {
            case ENOENT: return nil
            case EEXIST: if hasSameKey(other, path) { return other }
            case let code: throw failure(code)
            }
        }
        throw failure(EEXIST)
    }

    /// The names under which an old key may be kept, in the order of preference.
    package static func names(of old: FilePath) -> [FilePath] { [old] + (2...100).map { old + "-\($0)" } }

    private static func hasSameKey(_ one: FilePath, _ other: FilePath) -> Bool {
        guard let one = try? read(one), let other = try? read(other) else { return false }
        return one.equals(other)
    }

    /// Follows a symbolic link, because a replacement must be in the folder of the file itself.
    package static func followed(_ path: FilePath) -> FilePath {
        var status = stat()
        guard lstat(path.cString, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return path }
        return path.followed
    }

    /// The path of a new key before it replaces the key in this file.
    package static func draft(for path: FilePath) -> FilePath { path + ".new" }

    /// Runs `body` while no other thread or process runs it for files of the same folder.
    package static func alone<Result>(
        inFolderOf path: FilePath,
        until given: Deadline? = nil,
        _ body: () throws -> Result
    ) throws -> Result {
        let descriptor = Folder.open(of: path)
        defer {
            if descriptor >= 0 {
                // Unlocked explicitly: a child that was forked meanwhile has the folder open too, so closing alone would not
                // release the lock.
                flock(descriptor, LOCK_UN)
                close(descriptor)
            }
        }
        let deadline = given ?? Deadline(in: 60)
        // If the file system has no locks, or the folder cannot be read, it continues without a lock.
        while descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR {
            guard !deadline.hasPassed else {
                throw KinfolkError(.serviceUnavailable, "Another process is changing the key file.")
            }
            Thread.sleep(seconds: 0.005)
        }
        return try body()
    }

    private static func failure(_ code: Int32) -> KinfolkError {
        switch code {
        case FileFailure.inUseNumber: .fileInUse
        case EACCES, EPERM, EROFS:
            KinfolkError(.permissionFailure, "This process may not create the key file in its folder.")
        case ENOENT, ENOTDIR, ENAMETOOLONG, ELOOP:
            KinfolkError(.unknownItem, "The folder of the key file does not exist, or its name is too long.")
        case ENOSPC, EDQUOT: KinfolkError(.serviceUnavailable, "The disk is full: the key file could not be written.")
        default: KinfolkError(.serviceUnavailable, "The key file could not be written.")
        }
    }
}
