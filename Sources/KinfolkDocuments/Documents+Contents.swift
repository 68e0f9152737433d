import KinfolkAccounts
package import KinfolkFiles
public import KinfolkModel
public import KinfolkRecords

extension Documents {
    /// Opens a version of a document for reading, from any offset.
    ///
    /// - Parameter version: One of the versions of `document`; nil for the current one.
    /// - Throws: ``KinfolkError/Code/assetNotAvailable`` if the version is not kept any more, or the document was deleted,
    ///   ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing.
    public func reader(of document: Document, _ version: DocumentVersion? = nil) throws(KinfolkError) -> AssetReader {
        try session.privateDatabase.reader(of: (version ?? document.current).asset)
    }

    /// The contents of a version of a document, all at once.
    ///
    /// - Parameter version: One of the versions of `document`; nil for the current one.
    /// - Throws: What `reader(of:_:)` throws, ``KinfolkError/Code/storeCorrupt`` if the stored file is damaged.
    public func contents(of document: Document, _ version: DocumentVersion? = nil) throws(KinfolkError) -> [UInt8] {
        let reader = try reader(of: document, version)
        return try reader.read(at: 0, count: reader.asset.size)
    }

    /// Writes a version of a document to a file of the disk. The file appears when it is complete; one with this name is replaced.
    ///
    /// - Parameters:
    ///   - version: One of the versions of `document`; nil for the current one.
    ///   - path: The path of the file. There may be a regular file, but no folder, device or link.
    ///   - progress: Called with the number of bytes that were written, and of all bytes. If it throws, no file is made.
    /// - Throws: What `reader(of:_:)` throws, and the errors of the file system as in `save(_:to:progress:)` of ``Database``.
    public func write(
        _ document: Document,
        _ version: DocumentVersion? = nil,
        to path: String,
        progress: (_ done: Int, _ total: Int) throws(KinfolkError) -> Void = { _, _ in }
    ) throws(KinfolkError) {
        try write(document, version, to: FilePath(path), progress: progress)
    }

    /// Like the public call, for a path that may not be valid UTF-8.
    ///
    /// - Parameter folder: The folder of the file, whose path is then a name; nil for a path that may be anywhere.
    package func write(
        _ document: Document,
        _ version: DocumentVersion?,
        to path: FilePath,
        in folder: OpenFolder? = nil,
        progress: (_ done: Int, _ total: Int) throws(KinfolkError) -> Void = { _, _ in }
    ) throws(KinfolkError) {
        try session.privateDatabase.save((version ?? document.current).asset, to: path, in: folder, progress: progress)
    }
}
