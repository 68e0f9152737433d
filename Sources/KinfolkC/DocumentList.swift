public import CKinfolk
import Kinfolk

/// Documents that a search has found.
final class DocumentListHandle: Handle, @unchecked Sendable {
    let list: [Document]
    let documents: Documents

    init(_ list: [Document], in documents: Documents) { (self.list, self.documents) = (list, documents) }
}

@_cdecl("kinfolk_document_search") @implementation
public func kinfolk_document_search(
    _ handle: OpaquePointer?,
    _ folder: UnsafePointer<CChar>?,
    _ name: UnsafePointer<CChar>?,
    _ prefix: UnsafePointer<CChar>?,
    _ flags: UInt32,
    _ modified_since: Int64,
    _ modified_before: Int64,
    _ documents: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let documents = try output(documents)
        let all = try session(handle).documents
        guard flags & ~(UInt32(KINFOLK_SEARCH_SHALLOW) | UInt32(KINFOLK_SEARCH_CONFLICTS)) == 0 else {
            throw KinfolkError(.invalidArgument, "A bit of the search is unknown.")
        }
        var search = DocumentSearch()
        if folder != nil { search.folder = try text(folder) }
        if name != nil { search.name = try text(name) }
        if prefix != nil { search.namePrefix = try text(prefix) }
        search.isShallow = flags & UInt32(KINFOLK_SEARCH_SHALLOW) != 0
        search.hasConflicts = flags & UInt32(KINFOLK_SEARCH_CONFLICTS) != 0
        if modified_since > .min { search.modifiedSince = Timestamp(microseconds: modified_since) }
        if modified_before < .max { search.modifiedBefore = Timestamp(microseconds: modified_before) }
        documents.pointee = makeHandle(DocumentListHandle(try all.search(search), in: all))
    }
}

@_cdecl("kinfolk_document_list_count") @implementation
public func kinfolk_document_list_count(_ documents: OpaquePointer?) -> Int {
    peek(documents, as: DocumentListHandle.self)?.list.count ?? 0
}

@_cdecl("kinfolk_document_list_document") @implementation
public func kinfolk_document_list_document(
    _ documents: OpaquePointer?,
    _ index: Int,
    _ document: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let document = try output(document)
        guard let handle = peek(documents, as: DocumentListHandle.self) else { throw KinfolkError.null }
        guard handle.list.indices.contains(index) else {
            throw KinfolkError(.unknownItem, "The list of documents has no such index.")
        }
        document.pointee = makeHandle(DocumentHandle(handle.list[index], in: handle.documents))
    }
}

@_cdecl("kinfolk_document_list_free") @implementation
public func kinfolk_document_list_free(_ documents: OpaquePointer?) {
    freeHandle(documents, as: DocumentListHandle.self)
}
