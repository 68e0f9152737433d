public import KinfolkAccounts
public import KinfolkModel
public import KinfolkRecords

/// The documents of one user in one container: named files with versions and conflicts, the same on all devices.
///
/// ```swift
/// let documents = session.documents
/// var note = try documents.create("notes/test.txt", contents: Array("Hello".utf8))
/// note = try documents.save(note, contents: Array("Hello again".utf8))
/// for document in try documents.search() { print(document.path) }
/// ```
///
/// A path has names with `/` between them: 1 to 32 names of 1 to 255 bytes, at most 1,024 bytes in all, of UTF-8 without control characters,
/// and none of them `.` or `..`. Names are compared by their bytes, so those that differ only in upper and lower case or in their normalization form are
/// different documents. Folders exist as long as documents are in them. A document and a folder cannot have the same path.
///
/// When two devices save a document without knowing each other's version, the second one becomes a conflict: both versions stay until one of the
/// devices resolves it. The last ``keptVersions`` versions before the current one are kept and can be restored.
public struct Documents: Sendable {
    /// How many versions before the current one are kept.
    public static let keptVersions = 10
    /// The most unresolved conflicts of a document.
    public static let maximumConflicts = 100

    /// The session with which they are used.
    public let session: Session

    init(_ session: Session) { self.session = session }

    // MARK: Finding

    /// The document with this path.
    ///
    /// - Throws: ``KinfolkError/Code/unknownItem`` if there is none, ``KinfolkError/Code/invalidArgument`` if the path is malformed,
    ///   ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing.
    public func document(at path: String) throws(KinfolkError) -> Document {
        try DocumentPath.validate(path)
        return try session.read(.documents) { zone in
            guard let found = try DocumentPlaces(zone).document(at: path) else { throw Documents.noDocument }
            return found.document
        }
    }

    /// The document with this ID.
    ///
    /// - Throws: ``KinfolkError/Code/unknownItem`` if there is none, ``KinfolkError/Code/notAuthenticated`` if the session has no account
    ///   in good standing.
    public func document(id: String) throws(KinfolkError) -> Document {
        try session.read(.documents, [id]) { zone in try Documents.record(id, in: zone).document }
    }

    /// The documents that satisfy the conditions, in the order of the bytes of their paths.
    ///
    /// A search in a folder reads the documents of that folder; any other one reads those of the user.
    ///
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if the search has a malformed path or name,
    ///   ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing.
    public func search(_ search: DocumentSearch = DocumentSearch()) throws(KinfolkError) -> [Document] {
        try search.validate()
        return try session.read(.documents) { zone in
            var found: [Document] = []
            try DocumentPlaces(zone).forEachDocument(in: search.folder) { document in
                if search.matches(document) { found.append(document) }
            }
            return found.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        }
    }

    // MARK: Creating and saving

    /// Creates a document.
    ///
    /// - Throws: ``KinfolkError/Code/conflict`` if there is a document or a folder with this path, or one of its folders is a document,
    ///   ``KinfolkError/Code/invalidArgument`` if the path is malformed, ``KinfolkError/Code/limitExceeded`` if the contents are larger
    ///   than an asset may be, ``KinfolkError/Code/quotaExceeded`` if there is no room for them,
    ///   ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing.
    public func create(_ path: String, contents: [UInt8]) throws(KinfolkError) -> Document {
        try DocumentPath.validate(path)
        return try create(path, upload(of: contents))
    }

    /// Creates a document with the contents of an upload, which this call ends.
    ///
    /// - Parameter upload: Was begun with `beginUpload()`. Also if the call fails, it has ended.
    /// - Throws: What `create(_:contents:)` throws, ``KinfolkError/Code/assetNotAvailable`` if the upload has ended.
    public func create(_ path: String, _ upload: AssetUpload) throws(KinfolkError) -> Document {
        do { try DocumentPath.validate(path) } catch {
            upload.cancel()
            throw error
        }
        return try create(path, .upload(upload))
    }

    /// Saves a new version of a document. It replaces the version on which `document` is based. If that is not the current one any more, the
    /// new version becomes a conflict instead, and the current one stays.
    ///
    /// A document that was read is based on its current version then, and a document that a save returns on the version that was saved. So
    /// saves after a conflict go on with the caller's own version, until the conflict is resolved.
    ///
    /// ```swift
    /// let saved = try documents.save(note, contents: bytes)
    /// if let conflict = saved.conflicts.last { show(saved.current, conflict) }
    /// ```
    ///
    /// - Parameter document: The document as it was when its contents were read.
    /// - Returns: The document as it is now.
    /// - Throws: ``KinfolkError/Code/unknownItem`` if it was deleted, ``KinfolkError/Code/limitExceeded`` if the contents are larger than an
    ///   asset may be, or there are ``maximumConflicts`` conflicts, ``KinfolkError/Code/quotaExceeded`` if there is no room for them,
    ///   ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing.
    public func save(_ document: Document, contents: [UInt8]) throws(KinfolkError) -> Document {
        try save(document, upload(of: contents))
    }

    /// Saves the contents of an upload, which this call ends, as a new version of a document: see `save(_:contents:)`.
    public func save(_ document: Document, _ upload: AssetUpload) throws(KinfolkError) -> Document {
        try save(document.known, .upload(upload))
    }

    /// Begins to write the contents of a document, a piece at a time. Nothing is stored before the first pieces.
    public func beginUpload() throws(KinfolkError) -> AssetUpload {
        try session.privateDatabase.beginUpload(to: .documents)
    }

    // MARK: Versions

    /// Resolves the conflicts that `document` shows: one of its versions becomes the current one. The others become older versions, all of
    /// which are kept until later saves replace the oldest. Conflicts that came since then stay.
    ///
    /// - Parameter version: The current version or one of the conflicts.
    /// - Throws: ``KinfolkError/Code/serverRecordChanged`` if the current version is not the one of `document`: fetch it again,
    ///   ``KinfolkError/Code/unknownItem`` if the document was deleted, or has no such version,
    ///   ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing.
    public func resolve(_ document: Document, keeping version: DocumentVersion) throws(KinfolkError) -> Document {
        try resolve(document.known, keeping: version.id)
    }

    /// Resolves the conflicts that `document` shows by contents that take all of them into account.
    ///
    /// - Throws: What `resolve(_:keeping:)` and `save(_:contents:)` throw.
    public func resolve(_ document: Document, contents: [UInt8]) throws(KinfolkError) -> Document {
        try resolve(document, upload(of: contents))
    }

    /// Resolves conflicts by the contents of an upload, which this call ends: see `resolve(_:contents:)`.
    public func resolve(_ document: Document, _ upload: AssetUpload) throws(KinfolkError) -> Document {
        try resolve(document.known, .upload(upload))
    }

    /// Makes an older version the current one again. The current one becomes an older version.
    ///
    /// - Throws: ``KinfolkError/Code/serverRecordChanged`` if the current version is not the one of `document`: fetch it again,
    ///   ``KinfolkError/Code/unknownItem`` if the document was deleted, or the version is not kept any more,
    ///   ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing.
    public func restore(_ document: Document, _ version: DocumentVersion) throws(KinfolkError) -> Document {
        try restore(document.known, version.id)
    }

    // MARK: Other changes

    /// Gives a document another path. What is returned is based on the same version as `document`, also if others have saved it since.
    ///
    /// - Throws: ``KinfolkError/Code/conflict`` if there is a document or a folder with this path, or one of its folders is a document,
    ///   ``KinfolkError/Code/invalidArgument`` if the path is malformed, ``KinfolkError/Code/unknownItem`` if the document was deleted,
    ///   ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing.
    public func move(_ document: Document, to path: String) throws(KinfolkError) -> Document {
        try move(document.known, to: path)
    }

    /// Leaves a document out of backups, and its contents out of exports; or includes them again.
    ///
    /// An export still has the path of the document, its dates, and the devices, sizes and SHA-256 of its versions. A copy of the store
    /// (`copy(to:)`), which moves it to another place, has all documents, and so do the backups of a server.
    ///
    /// - Throws: ``KinfolkError/Code/unknownItem`` if it was deleted, ``KinfolkError/Code/notAuthenticated`` if the session has no account
    ///   in good standing.
    public func setExcludedFromBackup(_ isExcluded: Bool, _ document: Document) throws(KinfolkError) -> Document {
        try setExcludedFromBackup(isExcluded, document.known)
    }

    /// Deletes a document with all its versions.
    ///
    /// - Throws: ``KinfolkError/Code/serverRecordChanged`` if the current version is not the one of `document`, or it has conflicts that
    ///   `document` does not show: fetch it again, ``KinfolkError/Code/unknownItem`` if it was deleted already,
    ///   ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing.
    public func delete(_ document: Document) throws(KinfolkError) {
        try delete(document.known)
    }

    // MARK: Parts

    private func upload(of contents: [UInt8]) throws(KinfolkError) -> AssetUpload {
        let upload = try beginUpload()
        try upload.write(contents)
        return upload
    }

    static func record(_ id: String, in zone: ReservedZoneTransaction) throws -> DocumentRecord {
        guard let record = try zone.record(named: id), record.type == ReservedType.document.name else {
            throw noDocument
        }
        return try DocumentRecord(record)
    }

    static var noDocument: KinfolkError { KinfolkError(.unknownItem, "There is no such document.") }
}

extension Session {
    /// The documents of the session's user.
    public var documents: Documents { Documents(self) }
}
