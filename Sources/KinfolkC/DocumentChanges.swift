public import CKinfolk
import Kinfolk

/// Changes of documents, and the texts that C has borrowed from them.
final class DocumentChangesHandle: Handle, @unchecked Sendable {
    let changes: [DocumentChange]
    let documents: Documents
    /// Nil for changes that are reported one by one.
    let token: ServerChangeToken?
    let moreComing: Bool
    let texts = TextArena()

    init(_ page: DocumentChanges, in documents: Documents) {
        changes = page.changes
        (self.documents, token, moreComing) = (documents, page.token, page.moreComing)
    }

    init(_ change: DocumentChange, in documents: Documents) {
        (changes, self.documents, token, moreComing) = ([change], documents, nil, false)
    }

    /// The change at an index; nil past the end.
    func change(_ index: Int) -> DocumentChange? { changes.indices.contains(index) ? changes[index] : nil }
}

@_cdecl("kinfolk_document_changes_fetch") @implementation
public func kinfolk_document_changes_fetch(
    _ handle: OpaquePointer?,
    _ token: UnsafePointer<UInt8>?,
    _ token_length: Int,
    _ changes: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let changes = try output(changes)
        let documents = try session(handle).documents
        let page = try documents.changes(since: changeToken(token, token_length))
        changes.pointee = makeHandle(DocumentChangesHandle(page, in: documents))
    }
}

@_cdecl("kinfolk_document_changes_count") @implementation
public func kinfolk_document_changes_count(_ changes: OpaquePointer?) -> Int {
    peek(changes, as: DocumentChangesHandle.self)?.changes.count ?? 0
}

@_cdecl("kinfolk_document_changes_kind") @implementation
public func kinfolk_document_changes_kind(_ changes: OpaquePointer?, _ index: Int) -> kinfolk_document_change {
    let change = peek(changes, as: DocumentChangesHandle.self)?.change(index)
    return kinfolk_document_change(UInt32(bitPattern: change?.kind.rawValue ?? 0))
}

@_cdecl("kinfolk_document_changes_id") @implementation
public func kinfolk_document_changes_id(_ changes: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    guard let handle = peek(changes, as: DocumentChangesHandle.self), let change = handle.change(index) else {
        return nil
    }
    return handle.texts.text(change.documentID)
}

@_cdecl("kinfolk_document_changes_document") @implementation
public func kinfolk_document_changes_document(
    _ changes: OpaquePointer?,
    _ index: Int,
    _ document: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let document = try output(document)
        guard let handle = peek(changes, as: DocumentChangesHandle.self) else { throw KinfolkError.null }
        guard let change = handle.change(index) else {
            throw KinfolkError(.unknownItem, "The changes have no such index.")
        }
        document.pointee = change.document.map { makeHandle(DocumentHandle($0, in: handle.documents)) }
    }
}

@_cdecl("kinfolk_document_changes_token") @implementation
public func kinfolk_document_changes_token(
    _ changes: OpaquePointer?,
    _ token: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ length: UnsafeMutablePointer<Int>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let token = try output(token)
        let length = try output(length)
        guard let handle = peek(changes, as: DocumentChangesHandle.self) else { throw KinfolkError.null }
        let bytes = handle.token?.bytes ?? []
        token.pointee = handle.texts.bytes(bytes)
        length.pointee = bytes.count
    }
}

@_cdecl("kinfolk_document_changes_more_coming") @implementation
public func kinfolk_document_changes_more_coming(_ changes: OpaquePointer?) -> Bool {
    peek(changes, as: DocumentChangesHandle.self)?.moreComing ?? false
}

@_cdecl("kinfolk_document_changes_free") @implementation
public func kinfolk_document_changes_free(_ changes: OpaquePointer?) {
    freeHandle(changes, as: DocumentChangesHandle.self)
}

@_cdecl("kinfolk_session_on_document_change") @implementation
public func kinfolk_session_on_document_change(
    _ handle: OpaquePointer?,
    _ token: UnsafePointer<UInt8>?,
    _ token_length: Int,
    _ changed: kinfolk_document_change_fn?,
    _ context: UnsafeMutableRawPointer?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let handle = try object(handle, as: SessionHandle.self)
        let token = try changeToken(token, token_length)
        let documents = handle.session.documents
        let callback = changed.map { DocumentCallback(function: $0, context: context, documents: documents) }
        let new = try callback.map { callback throws(KinfolkError) in
            try documents.onChange(since: token) { change in callback.call(change) }
        }
        handle.documentChanges.replace(by: new)
    }
}

/// A function of the host and its context. The host is responsible that it may be called on a thread of the service.
private struct DocumentCallback: @unchecked Sendable {
    let function: kinfolk_document_change_fn
    let context: UnsafeMutableRawPointer?
    let documents: Documents

    func call(_ change: DocumentChange) {
        let handle = makeHandle(DocumentChangesHandle(change, in: documents))
        defer { freeHandle(handle, as: DocumentChangesHandle.self) }
        function(handle, context)
    }
}
