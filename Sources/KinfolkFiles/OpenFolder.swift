import Glibc

/// A folder that is open. What is in it is reached from its descriptor, so no symbolic link below it is followed, even if others change
/// the folders meanwhile.
package final class OpenFolder: Sendable {
    /// Something that is in a folder.
    package struct Entry {
        package enum Kind {
            case file, folder, link
            /// A device, a pipe or a socket.
            case special
        }

        package let name: FilePath
        package let kind: Kind
        package let identity: FileIdentity
        /// In bytes.
        package let size: Int

        fileprivate init(_ name: FilePath, _ status: stat) {
            self.name = name
            identity = FileIdentity(status)
            size = Int(status.st_size)
            switch status.st_mode & S_IFMT {
            case S_IFREG: kind = .file
            case S_IFDIR: kind = .folder
            case S_IFLNK: kind = .link
            default: kind = .special
            }
        }
    }

    package let descriptor: Int32

    /// Opens the folder at a path, which may lead through links.
    package init(_ path: FilePath) throws(FileFailure) {
        descriptor = open(path.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileFailure(errno) }
    }

    /// Opens the folder that contains a file.
    package init(of file: FilePath) throws(FileFailure) {
        let folder = file.folder.cString
        let opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // Files can also be made in a folder that may not be listed. It cannot be synced.
        descriptor =
            opened >= 0 || errno != EACCES ? opened : open(folder, OpenFolder.pathOnly | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileFailure(errno) }
    }

    /// `O_PATH`, which Swift does not import.
    private static let pathOnly: Int32 = 0o10_000_000

    /// Opens a folder in another one, which must not be a link.
    package init(_ name: FilePath, in folder: OpenFolder) throws(FileFailure) {
        descriptor = openat(folder.descriptor, name.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw FileFailure(errno) }
    }

    deinit { close(descriptor) }

    /// Makes a folder in this one that only its owner may use. Does nothing if there is something with this name.
    package func make(_ name: FilePath) throws(FileFailure) {
        guard mkdirat(descriptor, name.cString, 0o700) == 0 || errno == EEXIST else { throw FileFailure(errno) }
    }

    /// What has this name; nil if nothing has it, or it cannot be seen.
    package func entry(_ name: FilePath) -> Entry? {
        var status = stat()
        guard fstatat(descriptor, name.cString, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return Entry(name, status)
    }

    /// Everything that is in the folder, in the order of the bytes of the names.
    package func entries() throws(FileFailure) -> [Entry] {
        // With a position of its own, because a stream closes its descriptor.
        let own = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard own >= 0 else { throw FileFailure(errno) }
        guard let stream = fdopendir(own) else {
            let number = errno
            close(own)
            throw FileFailure(number)
        }
        defer { closedir(stream) }
        var names: [FilePath] = []
        errno = 0
        while let next = readdir(stream) {
            let name = withUnsafePointer(to: &next.pointee.d_name) { name in
                FilePath(cString: UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
            }
            if name.text != "." && name.text != ".." { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw FileFailure(errno) }
        // One that is deleted meanwhile has no status any more.
        return names.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }.compactMap(entry)
    }
}

extension OpenFolder? {
    /// Where a relative path begins: in the folder, or in that of the process.
    var start: Int32 { self?.descriptor ?? AT_FDCWD }
}
