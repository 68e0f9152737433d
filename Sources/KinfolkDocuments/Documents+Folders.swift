import KinfolkAccounts
package import KinfolkFiles
public import KinfolkModel
import KinfolkRecords

/// Documents as files in folders of the disk.
extension Documents {
    /// Writes all documents as files below a folder: their current versions, and each conflict as a further file with a name like
    /// `list (conflict 1 of tablet).txt`, which is never that of another document.
    ///
    /// Each file appears when it is complete. A regular file that has its name is replaced; links and other files are left as they are, and
    /// reported. The folder itself may be reached through links, but nothing below it is. A document that cannot be written is reported, and
    /// the others are still written. Users choose the names of documents: write to a folder in which nothing else is, and not to that of the
    /// store.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder. It is made if it is missing, so that only its owner may use it, as are the folders below.
    ///   - includingExcluded: Whether to write the documents that are excluded from backups.
    ///   - progress: Called with the number of bytes that were written, and of all bytes. If it throws, the export ends after the last
    ///     complete file.
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if the path leads to something else than a folder, ``KinfolkError/Code/unknownItem`` if
    ///   the folder in which to make it is missing, ``KinfolkError/Code/permissionFailure`` if the file system refuses,
    ///   ``KinfolkError/Code/serviceUnavailable`` if the disk is full, ``KinfolkError/Code/notAuthenticated`` if the session has no account in
    ///   good standing.
    public func export(
        to folder: String,
        includingExcluded: Bool = false,
        progress: (_ done: Int, _ total: Int) throws(KinfolkError) -> Void = { _, _ in }
    ) throws(KinfolkError) -> DocumentExport {
        try export(to: FilePath(folder), includingExcluded: includingExcluded, progress: progress)
    }

    /// Like the public call, for a path that may not be valid UTF-8.
    package func export(
        to folder: FilePath,
        includingExcluded: Bool,
        progress: (_ done: Int, _ total: Int) throws(KinfolkError) -> Void
    ) throws(KinfolkError) -> DocumentExport {
        let all = try search()
        var exporter = try DocumentExporter(self, to: DocumentFolders(making: folder))
        return try exporter.export(all, includingExcluded: includingExcluded, progress: progress)
    }

    /// Makes documents of the regular files in a folder of the disk and in the folders below it. A document that exists gets a new version,
    /// unless its current version has the same bytes: so an import that was interrupted can be repeated.
    ///
    /// The folder itself may be reached through links, but nothing below it is. Links, devices, and files whose names cannot be those of documents are
    /// reported, and the others are still imported.
    ///
    /// - Parameters:
    ///   - path: The path of the folder on the disk.
    ///   - folder: The folder of the documents; nil for none.
    ///   - progress: Called with the number of files that were read, and of bytes. If it throws, the import ends after the last complete
    ///     file.
    /// - Throws: ``KinfolkError/Code/unknownItem`` if there is no such folder on the disk, ``KinfolkError/Code/invalidArgument`` if the path leads
    ///   to something else, or that of the documents is malformed, ``KinfolkError/Code/permissionFailure`` if the file system refuses to list the
    ///   folder, ``KinfolkError/Code/quotaExceeded`` if there is no room for a file, ``KinfolkError/Code/notAuthenticated`` if the session has no
    ///   account in good standing.
    public func importFolder(
        _ path: String,
        into folder: String? = nil,
        progress: (_ files: Int, _ bytes: Int) throws(KinfolkError) -> Void = { _, _ in }
    ) throws(KinfolkError) -> DocumentImport {
        try importFolder(FilePath(path), into: folder, progress: progress)
    }

    /// Like the public call, for a path that may not be valid UTF-8.
    package func importFolder(
        _ path: FilePath,
        into folder: String?,
        progress: (_ files: Int, _ bytes: Int) throws(KinfolkError) -> Void
    ) throws(KinfolkError) -> DocumentImport {
        if let folder { try DocumentPath.validate(folder) }
        var search = DocumentSearch()
        search.folder = folder
        let root = try DocumentFolders.open(path)
        var importer = try DocumentImporter(self, self.search(search))
        return try importer.run(root, into: folder, progress: progress)
    }
}
