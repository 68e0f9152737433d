public import CKinfolk
import Kinfolk
import KinfolkThreads

/// A batch, which C fills and runs, and the texts that C has borrowed from it.
final class BatchHandle: Handle, @unchecked Sendable {
    struct Content {
        var operations: [RecordOperation] = []
        /// The results of the last run; none if there was no run, or an item was added since.
        var results = BatchResults([])
    }

    let content = Lock(Content())
    let texts = TextArena()

    func add(_ operation: RecordOperation) {
        content.withLock { content in
            content.operations.append(operation)
            content.results = BatchResults([])
        }
    }
}

@_cdecl("kinfolk_batch_new") @implementation
public func kinfolk_batch_new(_ batch: UnsafeMutablePointer<OpaquePointer?>?) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let batch = try output(batch)
        batch.pointee = makeHandle(BatchHandle())
    }
}

@_cdecl("kinfolk_batch_save") @implementation
public func kinfolk_batch_save(
    _ batch: OpaquePointer?,
    _ operation: kinfolk_operation,
    _ record: OpaquePointer?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let batch = try object(batch, as: BatchHandle.self)
        guard let handle = peek(record, as: RecordHandle.self) else { throw KinfolkError.null }
        let record = handle.record.withLock { $0 }
        switch operation {
        case KINFOLK_OPERATION_CREATE: batch.add(.create(record))
        case KINFOLK_OPERATION_UPDATE: batch.add(.update(record))
        case KINFOLK_OPERATION_FORCE_UPDATE: batch.add(.forceUpdate(record))
        case KINFOLK_OPERATION_REPLACE: batch.add(.replace(record))
        case KINFOLK_OPERATION_FORCE_REPLACE: batch.add(.forceReplace(record))
        default: throw KinfolkError(.invalidArgument, "The operation is not one that saves a record.")
        }
    }
}

@_cdecl("kinfolk_batch_delete") @implementation
public func kinfolk_batch_delete(
    _ batch: OpaquePointer?,
    _ operation: kinfolk_operation,
    _ name: UnsafePointer<CChar>?,
    _ zone: UnsafePointer<CChar>?,
    _ change_tag: UnsafePointer<CChar>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let batch = try object(batch, as: BatchHandle.self)
        let id = try recordID(name, zone)
        let tag = change_tag == nil ? nil : try text(change_tag)
        switch operation {
        case KINFOLK_OPERATION_DELETE: batch.add(.delete(id, changeTag: tag))
        case KINFOLK_OPERATION_FORCE_DELETE: batch.add(.forceDelete(id))
        default: throw KinfolkError(.invalidArgument, "The operation is not one that deletes a record.")
        }
    }
}

@_cdecl("kinfolk_batch_run") @implementation
public func kinfolk_batch_run(
    _ batch: OpaquePointer?,
    _ handle: OpaquePointer?,
    _ is_atomic: Bool,
    _ failed: UnsafeMutablePointer<Int>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let batch = try object(batch, as: BatchHandle.self)
        let database = try database(handle)
        let failures = try batch.content.withLock { content throws(KinfolkError) in
            content.results = BatchResults([])
            content.results = try database.run(content.operations, atomically: is_atomic)
            return content.results.count { if case .failure = $0 { true } else { false } }
        }
        failed?.pointee = failures
    }
}

@_cdecl("kinfolk_batch_count") @implementation
public func kinfolk_batch_count(_ batch: OpaquePointer?) -> Int {
    peek(batch, as: BatchHandle.self)?.content.withLock { $0.operations.count } ?? 0
}

/// A part of the ID of an item's record; nil past the end.
private func lend(_ batch: OpaquePointer?, _ index: Int, _ part: (RecordID) -> String) -> UnsafePointer<CChar>? {
    guard let handle = peek(batch, as: BatchHandle.self) else { return nil }
    let text = handle.content.withLock { content in
        content.operations.indices.contains(index) ? part(content.operations[index].id) : nil
    }
    return text.flatMap(handle.texts.text)
}

@_cdecl("kinfolk_batch_name") @implementation
public func kinfolk_batch_name(_ batch: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    lend(batch, index) { $0.name }
}

@_cdecl("kinfolk_batch_zone") @implementation
public func kinfolk_batch_zone(_ batch: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    lend(batch, index) { $0.zone }
}

/// The record that an item saved; nil for a deletion. Throws the error of the item.
private func result(_ batch: OpaquePointer?, _ index: Int) throws(KinfolkError) -> Record? {
    guard let batch = peek(batch, as: BatchHandle.self) else { throw KinfolkError.null }
    let result = batch.content.withLock { $0.results.indices.contains(index) ? $0.results[index] : nil }
    guard let result else { throw KinfolkError(.unknownItem, "The batch has no result with this index.") }
    return try result.get()
}

@_cdecl("kinfolk_batch_status") @implementation
public func kinfolk_batch_status(_ batch: OpaquePointer?, _ index: Int) -> kinfolk_status {
    attempt { () throws(KinfolkError) in _ = try result(batch, index) }
}

@_cdecl("kinfolk_batch_record") @implementation
public func kinfolk_batch_record(
    _ batch: OpaquePointer?,
    _ index: Int,
    _ record: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let record = try output(record)
        record.pointee = try result(batch, index).map { makeHandle(RecordHandle($0)) }
    }
}

@_cdecl("kinfolk_batch_deleted") @implementation
public func kinfolk_batch_deleted(
    _ batch: OpaquePointer?,
    _ deleted: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let deleted = try output(deleted)
        guard let batch = peek(batch, as: BatchHandle.self) else { throw KinfolkError.null }
        deleted.pointee = makeHandle(DeletedHandle(batch.content.withLock { $0.results.deleted }))
    }
}

@_cdecl("kinfolk_batch_free") @implementation
public func kinfolk_batch_free(_ batch: OpaquePointer?) { freeHandle(batch, as: BatchHandle.self) }
