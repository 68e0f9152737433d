public import CKinfolk
import Kinfolk
import KinfolkThreads

/// A copy of a document, and the texts that C has borrowed from it.
final class DocumentHandle: Handle, @unchecked Sendable {
    let documents: Documents
    private let state: Lock<Document>
    /// Held by the thread that changes the document.
    private let turn = Lock(())
    let texts = TextArena()

    init(_ document: Document, in documents: Documents) {
        self.documents = documents
        state = Lock(document)
    }

    var document: Document { state.withLock { $0 } }

    /// Replaces the copy by what a change returns.
    func change(_ body: (Documents, Document) throws(KinfolkError) -> Document) throws(KinfolkError) {
        try turn.withLock { _ throws(KinfolkError) in
            let new = try body(documents, document)
            state.withLock { $0 = new }
        }
    }

    /// The version at an index; nil past the end.
    func version(_ index: Int) -> DocumentVersion? {
        let versions = document.versions
        return versions.indices.contains(index) ? versions[index] : nil
    }
}

private func documents(_ session: OpaquePointer?) throws(KinfolkError) -> Documents {
    try KinfolkC.session(session).documents
}

private func change(
    _ handle: OpaquePointer?,
    _ body: (Documents, Document) throws(KinfolkError) -> Document
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in try object(handle, as: DocumentHandle.self).change(body) }
}

/// Makes a handle of the document that `body` returns.
private func make(
    _ session: OpaquePointer?,
    _ document: UnsafeMutablePointer<OpaquePointer?>?,
    _ body: (Documents) throws(KinfolkError) -> Document
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let document = try output(document)
        let documents = try documents(session)
        document.pointee = makeHandle(DocumentHandle(try body(documents), in: documents))
    }
}

private func contents(_ pointer: UnsafePointer<UInt8>?, _ length: Int) throws(KinfolkError) -> [UInt8] {
    Array(try bytes(pointer, length))
}

private func upload(_ handle: OpaquePointer?) throws(KinfolkError) -> AssetUpload {
    try object(handle, as: AssetHandle.self).writer()
}

// MARK: Creating and finding

@_cdecl("kinfolk_document_upload") @implementation
public func kinfolk_document_upload(
    _ session: OpaquePointer?,
    _ upload: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let upload = try output(upload)
        let documents = try documents(session)
        upload.pointee = try makeHandle(AssetHandle(documents.beginUpload(), to: documents.session.privateDatabase))
    }
}

@_cdecl("kinfolk_document_create") @implementation
public func kinfolk_document_create(
    _ session: OpaquePointer?,
    _ path: UnsafePointer<CChar>?,
    _ contents: UnsafePointer<UInt8>?,
    _ length: Int,
    _ document: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    make(session, document) { documents throws(KinfolkError) in
        try documents.create(text(path), contents: KinfolkC.contents(contents, length))
    }
}

@_cdecl("kinfolk_document_create_from") @implementation
public func kinfolk_document_create_from(
    _ session: OpaquePointer?,
    _ path: UnsafePointer<CChar>?,
    _ upload: OpaquePointer?,
    _ document: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    make(session, document) { documents throws(KinfolkError) in
        try documents.create(text(path), KinfolkC.upload(upload))
    }
}

@_cdecl("kinfolk_document_open") @implementation
public func kinfolk_document_open(
    _ session: OpaquePointer?,
    _ path: UnsafePointer<CChar>?,
    _ document: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    make(session, document) { documents throws(KinfolkError) in try documents.document(at: text(path)) }
}

@_cdecl("kinfolk_document_fetch") @implementation
public func kinfolk_document_fetch(
    _ session: OpaquePointer?,
    _ id: UnsafePointer<CChar>?,
    _ document: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    make(session, document) { documents throws(KinfolkError) in try documents.document(id: text(id)) }
}

// MARK: Changing

@_cdecl("kinfolk_document_save") @implementation
public func kinfolk_document_save(
    _ document: OpaquePointer?,
    _ contents: UnsafePointer<UInt8>?,
    _ length: Int
) -> kinfolk_status {
    change(document) { documents, document throws(KinfolkError) in
        try documents.save(document, contents: KinfolkC.contents(contents, length))
    }
}

@_cdecl("kinfolk_document_save_from") @implementation
public func kinfolk_document_save_from(_ document: OpaquePointer?, _ upload: OpaquePointer?) -> kinfolk_status {
    change(document) { documents, document throws(KinfolkError) in
        try documents.save(document, KinfolkC.upload(upload))
    }
}

@_cdecl("kinfolk_document_resolve") @implementation
public func kinfolk_document_resolve(_ document: OpaquePointer?, _ version: UnsafePointer<CChar>?) -> kinfolk_status {
    change(document) { documents, document throws(KinfolkError) in
        try documents.resolve(document, keeping: KinfolkC.version(version, of: document))
    }
}

@_cdecl("kinfolk_document_resolve_with") @implementation
public func kinfolk_document_resolve_with(
    _ document: OpaquePointer?,
    _ contents: UnsafePointer<UInt8>?,
    _ length: Int
) -> kinfolk_status {
    change(document) { documents, document throws(KinfolkError) in
        try documents.resolve(document, contents: KinfolkC.contents(contents, length))
    }
}

@_cdecl("kinfolk_document_resolve_from") @implementation
public func kinfolk_document_resolve_from(_ document: OpaquePointer?, _ upload: OpaquePointer?) -> kinfolk_status {
    change(document) { documents, document throws(KinfolkError) in
        try documents.resolve(document, KinfolkC.upload(upload))
    }
}

@_cdecl("kinfolk_document_restore") @implementation
public func kinfolk_document_restore(_ document: OpaquePointer?, _ version: UnsafePointer<CChar>?) -> kinfolk_status {
    change(document) { documents, document throws(KinfolkError) in
        try documents.restore(document, KinfolkC.version(version, of: document))
    }
}

/// The version of a document with this ID.
private func version(_ id: UnsafePointer<CChar>?, of document: Document) throws(KinfolkError) -> DocumentVersion {
    let id = try text(id)
    guard let version = document.versions.first(where: { $0.id == id }) else {
        throw KinfolkError(.unknownItem, "The document has no such version.")
    }
    return version
}

@_cdecl("kinfolk_document_move") @implementation
public func kinfolk_document_move(_ document: OpaquePointer?, _ path: UnsafePointer<CChar>?) -> kinfolk_status {
    change(document) { documents, document throws(KinfolkError) in try documents.move(document, to: text(path)) }
}

@_cdecl("kinfolk_document_set_excluded") @implementation
public func kinfolk_document_set_excluded(_ document: OpaquePointer?, _ excluded: Bool) -> kinfolk_status {
    change(document) { documents, document throws(KinfolkError) in
        try documents.setExcludedFromBackup(excluded, document)
    }
}

@_cdecl("kinfolk_document_delete") @implementation
public func kinfolk_document_delete(_ document: OpaquePointer?) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let handle = try object(document, as: DocumentHandle.self)
        try handle.documents.delete(handle.document)
    }
}

@_cdecl("kinfolk_document_free") @implementation
public func kinfolk_document_free(_ document: OpaquePointer?) { freeHandle(document, as: DocumentHandle.self) }

// MARK: Reading

private func read(_ handle: OpaquePointer?) -> Document? { peek(handle, as: DocumentHandle.self)?.document }

private func lend(_ handle: OpaquePointer?, _ text: String?) -> UnsafePointer<CChar>? {
    text.flatMap { peek(handle, as: DocumentHandle.self)?.texts.text($0) }
}

@_cdecl("kinfolk_document_id") @implementation
public func kinfolk_document_id(_ document: OpaquePointer?) -> UnsafePointer<CChar>? {
    lend(document, read(document)?.id)
}

@_cdecl("kinfolk_document_path") @implementation
public func kinfolk_document_path(_ document: OpaquePointer?) -> UnsafePointer<CChar>? {
    lend(document, read(document)?.path)
}

@_cdecl("kinfolk_document_created_at") @implementation
public func kinfolk_document_created_at(_ document: OpaquePointer?) -> Int64 {
    read(document)?.createdAt.microseconds ?? 0
}

@_cdecl("kinfolk_document_modified_at") @implementation
public func kinfolk_document_modified_at(_ document: OpaquePointer?) -> Int64 {
    read(document)?.modifiedAt.microseconds ?? 0
}

@_cdecl("kinfolk_document_is_excluded") @implementation
public func kinfolk_document_is_excluded(_ document: OpaquePointer?) -> Bool {
    read(document)?.isExcludedFromBackup ?? false
}

@_cdecl("kinfolk_document_version_count") @implementation
public func kinfolk_document_version_count(_ document: OpaquePointer?) -> Int { read(document)?.versions.count ?? 0 }

@_cdecl("kinfolk_document_conflict_count") @implementation
public func kinfolk_document_conflict_count(_ document: OpaquePointer?) -> Int { read(document)?.conflicts.count ?? 0 }

@_cdecl("kinfolk_document_version_id") @implementation
public func kinfolk_document_version_id(_ document: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    lend(document, peek(document, as: DocumentHandle.self)?.version(index)?.id)
}

@_cdecl("kinfolk_document_version_device") @implementation
public func kinfolk_document_version_device(_ document: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    lend(document, peek(document, as: DocumentHandle.self)?.version(index)?.device)
}

@_cdecl("kinfolk_document_version_saved_at") @implementation
public func kinfolk_document_version_saved_at(_ document: OpaquePointer?, _ index: Int) -> Int64 {
    peek(document, as: DocumentHandle.self)?.version(index)?.savedAt.microseconds ?? 0
}

@_cdecl("kinfolk_document_version_asset") @implementation
public func kinfolk_document_version_asset(
    _ document: OpaquePointer?,
    _ index: Int,
    _ asset: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let asset = try output(asset)
        guard let handle = peek(document, as: DocumentHandle.self) else { throw KinfolkError.null }
        guard let version = handle.version(index) else {
            throw KinfolkError(.unknownItem, "The document has no such version.")
        }
        asset.pointee = makeHandle(AssetHandle(version.asset, in: handle.documents.session.privateDatabase))
    }
}
