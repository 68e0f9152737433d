import Glibc
import KinfolkFiles
import KinfolkModel

/// The folders of an export on the disk. Those that lead to the last file stay open, at most as many as a path has names.
struct DocumentFolders {
    private let root: OpenFolder
    private var inner: [(name: [UInt8], folder: OpenFolder)] = []

    /// Opens the folder of an export, and makes it if it is missing.
    init(making path: FilePath) throws(KinfolkError) {
        guard path.isValid else { throw DocumentFolders.malformed }
        if mkdir(path.cString, 0o700) != 0, errno != EEXIST { throw DocumentFolders.error(FileFailure(errno)) }
        root = try DocumentFolders.open(path)
    }

    /// Opens a folder that exists.
    static func open(_ path: FilePath) throws(KinfolkError) -> OpenFolder {
        guard path.isValid else { throw malformed }
        do throws(FileFailure) { return try OpenFolder(path) } catch { throw self.error(error) }
    }

    /// The folder of a document, which is made if it is missing.
    ///
    /// - Returns: The folder, or why there can be none.
    mutating func folder(of document: Document) throws(KinfolkError) -> Result<OpenFolder, Blocked> {
        let names = document.folder.utf8.split(separator: DocumentPath.slash).map(Array.init)
        let known = zip(inner, names).prefix { $0.name == $1 }.count
        inner.removeLast(inner.count - known)
        for name in names[known...] {
            let (parent, path) = (inner.last?.folder ?? root, FilePath(bytes: name))
            do throws(FileFailure) {
                try parent.make(path)
                inner.append((name, try OpenFolder(path, in: parent)))
            } catch {
                if let reason = DocumentFolders.reason(error, parent.entry(path)) { return .failure(reason) }
                throw DocumentFolders.error(error)
            }
        }
        return .success(inner.last?.folder ?? root)
    }

    /// Why a document cannot be written.
    struct Blocked: Error {
        let reason: DocumentSkip.Reason
    }

    /// Why a folder cannot be made or opened, if that is because of this folder; nil if no other could be made either.
    private static func reason(_ failure: FileFailure, _ entry: OpenFolder.Entry?) -> Blocked? {
        switch entry?.kind {
        case .link: return Blocked(reason: .link)
        case .file, .special: return Blocked(reason: .nameTaken)
        case .folder: return failure.number == EACCES ? Blocked(reason: .notReadable) : nil
        case nil: return isOfName(failure.number) ? Blocked(reason: .malformedName) : nil
        }
    }

    /// Whether the file system cannot have such a name.
    static func isOfName(_ number: Int32) -> Bool { [EINVAL, EILSEQ, ENAMETOOLONG].contains(number) }

    static func error(_ failure: FileFailure) -> KinfolkError {
        switch failure.number {
        case ENOENT: KinfolkError(.unknownItem, "There is no such folder.")
        case ENOTDIR, ELOOP: KinfolkError(.invalidArgument, "The path does not lead to a folder.")
        case _ where isOfName(failure.number):
            KinfolkError(.invalidArgument, "The file system cannot have a folder with this name.")
        case EACCES, EPERM, EROFS: KinfolkError(.permissionFailure, "The folder may not be used.")
        case ENOSPC, EDQUOT: KinfolkError(.serviceUnavailable, "The disk is full.")
        default: KinfolkError(.serviceUnavailable, "The folder could not be used (error \(failure.number)).")
        }
    }

    private static var malformed: KinfolkError {
        KinfolkError(.invalidArgument, "A path is not empty and has no NUL.")
    }
}
