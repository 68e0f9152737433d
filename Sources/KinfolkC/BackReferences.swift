public import CKinfolk
import Kinfolk

/// A page of the records that refer to a record, and the texts that C has borrowed from it.
final class BackReferencesHandle: Handle, @unchecked Sendable {
    let references: [BackReference]
    private let texts = TextArena()

    init(_ references: [BackReference]) { self.references = references }

    func text(_ index: Int, _ text: (BackReference) -> String) -> UnsafePointer<CChar>? {
        references.indices.contains(index) ? texts.text(text(references[index])) : nil
    }
}

@_cdecl("kinfolk_database_back_references") @implementation
public func kinfolk_database_back_references(
    _ handle: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ zone: UnsafePointer<CChar>?,
    _ after: OpaquePointer?,
    _ limit: Int,
    _ references: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let references = try output(references)
        let database = try database(handle)
        let id = try recordID(name, zone)
        let last = peek(after, as: BackReferencesHandle.self)?.references.last
        references.pointee = makeHandle(
            BackReferencesHandle(try database.backReferences(to: id, after: last, limit: limit))
        )
    }
}

@_cdecl("kinfolk_back_references_count") @implementation
public func kinfolk_back_references_count(_ references: OpaquePointer?) -> Int {
    peek(references, as: BackReferencesHandle.self)?.references.count ?? 0
}

@_cdecl("kinfolk_back_references_name") @implementation
public func kinfolk_back_references_name(_ references: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    peek(references, as: BackReferencesHandle.self)?.text(index) { $0.source.name }
}

@_cdecl("kinfolk_back_references_type") @implementation
public func kinfolk_back_references_type(_ references: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    peek(references, as: BackReferencesHandle.self)?.text(index) { $0.type }
}

@_cdecl("kinfolk_back_references_kind") @implementation
public func kinfolk_back_references_kind(
    _ references: OpaquePointer?,
    _ index: Int
) -> kinfolk_back_reference_kind {
    let references = peek(references, as: BackReferencesHandle.self)?.references ?? []
    guard references.indices.contains(index) else { return KINFOLK_BACK_REFERENCE_PARENT }
    return kinfolk_back_reference_kind(UInt32(bitPattern: references[index].kind.rawValue))
}

@_cdecl("kinfolk_back_references_free") @implementation
public func kinfolk_back_references_free(_ references: OpaquePointer?) {
    freeHandle(references, as: BackReferencesHandle.self)
}
