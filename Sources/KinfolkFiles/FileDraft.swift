package import Glibc

/// A file that is written under another name in its folder, and gets its own name when it is complete and on disk. Without that, the draft
/// is deleted with this object.
///
/// The file has the owner, the group and the mode of the file that it replaces: a service whose files root replaces can still use them. All
/// work is done on descriptors of the folder and of the draft, because the owner of the folder can put other files and links at each name in
/// it, at any time. For the same reason the owner of a file counts only if it may be trusted (``FileOwner``): in a folder that others may write to,
/// another user could have put a file at the name, to get what root writes there.
package final class FileDraft {
    /// The path of the file that the draft becomes.
    package let destination: FilePath
    /// The path of the draft.
    package let path: FilePath
    /// The draft, until it is complete.
    package private(set) var descriptor: Int32
    /// Which file the draft is. The owner of the folder can put another file, or a link to one, at the path.
    package let identity: FileIdentity

    private let folder: OpenFolder
    private let role: FilesInUse.Role?
    private let model: Model?
    private var isDraft = true

    /// Creates the draft.
    ///
    /// - Parameters:
    ///   - role: What the file is for an open store. Nil for a file of the caller, which must not be a file of an open store.
    ///   - mode: Who may use a new file of the caller, before the mask of the process is applied, and at most a replaced one. A new database or
    ///     key is for its owner only: the user of this process or, if that is root, the user to whom the folder belongs and who alone may
    ///     write to it.
    ///   - other: The name of another file in the folder, whose owner and mode a new file gets.
    ///   - folder: The folder of the file, whose path is then a name; nil for a path that may be anywhere.
    ///   - draft: The name of the draft; nil for one that is chosen.
    package init(
        of destination: FilePath,
        as role: FilesInUse.Role? = nil,
        mode: mode_t = 0o600,
        like other: FilePath? = nil,
        in folder: OpenFolder? = nil,
        named draft: FilePath? = nil
    ) throws(FileFailure) {
        self.destination = destination
        guard destination.nameLength > 0 else { throw FileFailure(EISDIR) }
        let folder = if let folder { folder } else { try OpenFolder(of: destination) }
        self.folder = folder
        self.role = role
        try FilesInUse.demandUnused(destination.name, in: folder, followsLink: false, as: role)
        if role == nil, let kind = folder.entry(destination.name)?.kind, kind != .file { throw FileFailure(EISDIR) }
        let most =
            switch role {
            case nil: mode
            case .key, .nextKey, .counter: 0o600 as mode_t
            case .database, .log: 0o666 as mode_t
            }
        model =
            Model(destination.name, in: folder, most: most) ?? other.flatMap { Model($0, in: folder, most: most) }
            ?? (role == nil ? nil : Model(ownerOf: folder))
        var random = SystemRandomNumberGenerator()
        var (name, opened): (FilePath, Int32)
        repeat {
            name = draft ?? FilePath("kinfolk-\(String(random.next(), radix: 36)).part")
            let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
            opened = openat(folder.descriptor, name.cString, flags, model == nil ? mode : 0o600)
        } while opened < 0 && errno == EEXIST && draft == nil
        guard opened >= 0 else { throw FileFailure(errno) }
        guard let identity = FileIdentity(descriptor: opened) else {
            close(opened)
            throw FileFailure(EIO)
        }
        (descriptor, self.identity) = (opened, identity)
        path = destination.folder + name
    }

    deinit {
        closeDescriptor()
        if isDraft { unlinkat(folder.descriptor, path.name.cString, 0) }
    }

    private func closeDescriptor() {
        guard descriptor >= 0 else { return }
        close(descriptor)
        descriptor = -1
    }

    /// Adds bytes.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(FileFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let count = Glibc.write(descriptor, part.baseAddress, part.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw FileFailure(count < 0 ? errno : EIO) }
            rest = rest.dropFirst(count)
        }
    }

    package func write(_ bytes: [UInt8]) throws(FileFailure) {
        let result = bytes.withUnsafeBytes { bytes in Result { () throws(FileFailure) in try write(bytes) } }
        try result.get()
    }

    /// Gives the draft to its owner, and syncs and closes it. Closed before it has its name: closing a descriptor of a database releases all
    /// locks that this process holds on the file.
    package func complete() throws(FileFailure) {
        guard descriptor >= 0 else { return }
        try model?.apply(to: descriptor)
        guard fsync(descriptor) == 0 else { throw FileFailure(errno) }
        closeDescriptor()
    }

    private func demandInPlace() throws(FileFailure) {
        guard folder.entry(path.name)?.identity == identity else { throw FileFailure(ESTALE) }
    }

    /// Puts the file in its place. A file that is there is replaced.
    package func replace() throws(FileFailure) {
        try complete()
        try demandInPlace()
        // A store may have been opened there since the draft was made.
        try FilesInUse.demandUnused(destination.name, in: folder, followsLink: false, as: role)
        guard
            renameat(folder.descriptor, path.name.cString, folder.descriptor, destination.name.cString) == 0
        else { throw FileFailure(errno) }
        isDraft = false
        fsync(folder.descriptor)
    }

    /// Puts the file in its place. Fails with `EEXIST` if there is one.
    package func place() throws(FileFailure) {
        try complete()
        try demandInPlace()
        let (draft, name) = (path.name.cString, destination.name.cString)
        if linkat(folder.descriptor, draft, folder.descriptor, name, 0) != 0 {
            guard errno == EPERM || errno == ENOTSUP || errno == ENOSYS else { throw FileFailure(errno) }
            // A file system without links: an empty file takes the name first, so that it is nobody else's.
            let empty = openat(folder.descriptor, name, O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard empty >= 0 else { throw FileFailure(errno) }
            close(empty)
            do throws(FileFailure) { return try replace() } catch {
                if error.number != FileFailure.inUseNumber { unlinkat(folder.descriptor, name, 0) }
                throw error
            }
        }
        fsync(folder.descriptor)
    }
}

extension OpenFolder {
    /// Gives a file that this process has just created in this folder to the user to whom new files of a store belong here.
    package func give(_ descriptor: Int32) throws(FileFailure) { try Model(ownerOf: self)?.apply(to: descriptor) }
}

/// Whose a file is, and who may use it.
private struct Model {
    private let owner: uid_t
    private let group: gid_t
    private let mode: mode_t

    /// Those of a file whose owner is trusted. Nil if there is no such file.
    init?(_ name: FilePath, in folder: OpenFolder, most: mode_t) {
        var (file, place) = (stat(), stat())
        guard fstatat(folder.descriptor, name.cString, &file, AT_SYMLINK_NOFOLLOW) == 0,
            file.st_mode & S_IFMT == S_IFREG, fstat(folder.descriptor, &place) == 0,
            FileOwner.isTrusted(file.st_uid, user: geteuid(), folder: place)
        else { return nil }
        // In a folder of others, the name may have been given to another file of the owner, by a link or by renaming it.
        let isOurs = place.st_uid == geteuid() && place.st_mode & 0o022 == 0
        let isOwners = file.st_nlink == 1 && (file.st_uid == place.st_uid || place.st_mode & 0o1000 != 0)
        (owner, group, mode) = (file.st_uid, file.st_gid, file.st_mode & (isOurs || isOwners ? most : most & 0o600))
    }

    /// Those of a new file that root makes in the folder of a user whose files are trusted there. Nil for any other folder.
    init?(ownerOf folder: OpenFolder) {
        var place = stat()
        guard geteuid() == 0, fstat(folder.descriptor, &place) == 0,
            FileOwner.isTrusted(place.st_uid, user: 0, folder: place)
        else { return nil }
        (owner, group, mode) = (place.st_uid, place.st_gid, 0o600)
    }

    func apply(to descriptor: Int32) throws(FileFailure) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileFailure(errno) }
        if fchown(descriptor, owner, group) != 0 {
            // Only root may give a file away. Any other user may still be in its group.
            guard geteuid() != 0 || status.st_uid == owner else { throw FileFailure(errno) }
            _ = fchown(descriptor, uid_t.max, group)
        }
        // What the group of the model may do is not for another group.
        guard fstat(descriptor, &status) == 0,
            fchmod(descriptor, status.st_gid == group ? mode : mode & ~0o070) == 0
        else { throw FileFailure(errno) }
    }
}
