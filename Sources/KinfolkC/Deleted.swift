import CKinfolk
import Kinfolk

/// Records that were deleted, and the texts that C has borrowed from their list.
final class DeletedHandle: Handle, @unchecked Sendable {
    let records: [DeletedRecord]
    private let texts = TextArena()

    init(_ records: [DeletedRecord]) { self.records = records }

    func text(_ index: Int, _ text: (DeletedRecord) -> String) -> UnsafePointer<CChar>? {
        records.indices.contains(index) ? texts.text(text(records[index])) : nil
    }
}

@_cdecl("kinfolk_deleted_count") @implementation
public func kinfolk_deleted_count(_ deleted: OpaquePointer?) -> Int {
    peek(deleted, as: DeletedHandle.self)?.records.count ?? 0
}

@_cdecl("kinfolk_deleted_name") @implementation
public func kinfolk_deleted_name(_ deleted: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    peek(deleted, as: DeletedHandle.self)?.text(index) { $0.id.name }
}

@_cdecl("kinfolk_deleted_zone") @implementation
public func kinfolk_deleted_zone(_ deleted: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    peek(deleted, as: DeletedHandle.self)?.text(index) { $0.id.zone }
}

@_cdecl("kinfolk_deleted_type") @implementation
public func kinfolk_deleted_type(_ deleted: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    peek(deleted, as: DeletedHandle.self)?.text(index) { $0.type }
}

@_cdecl("kinfolk_deleted_free") @implementation
public func kinfolk_deleted_free(_ deleted: OpaquePointer?) { freeHandle(deleted, as: DeletedHandle.self) }
