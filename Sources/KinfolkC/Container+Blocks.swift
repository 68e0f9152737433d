public import CKinfolk
import Kinfolk

/// A page of the operator's blocks.
final class BlocksHandle: Handle, @unchecked Sendable {
    let blocks: [OperatorBlock]
    let texts = TextArena()

    init(_ blocks: [OperatorBlock]) { self.blocks = blocks }
}

@_cdecl("kinfolk_container_operator_blocks") @implementation
public func kinfolk_container_operator_blocks(
    _ handle: OpaquePointer?,
    _ after_record_id: UnsafePointer<CChar>?,
    _ after_other_record_id: UnsafePointer<CChar>?,
    _ limit: Int,
    _ blocks: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let blocks = try output(blocks)
        let last =
            try after_record_id == nil && after_other_record_id == nil
            ? nil
            : OperatorBlock(
                userRecordID: UserRecordID(text(after_record_id)),
                otherUserRecordID: UserRecordID(text(after_other_record_id))
            )
        let page = try container(handle).operatorBlocks(after: last, limit: pageSize(limit))
        blocks.pointee = makeHandle(BlocksHandle(page))
    }
}

@_cdecl("kinfolk_operator_blocks_count") @implementation
public func kinfolk_operator_blocks_count(_ blocks: OpaquePointer?) -> Int {
    peek(blocks, as: BlocksHandle.self)?.blocks.count ?? 0
}

private func lend(_ handle: OpaquePointer?, _ index: Int, _ id: (OperatorBlock) -> UserRecordID) -> UnsafePointer<
    CChar
>? {
    guard let handle = peek(handle, as: BlocksHandle.self), handle.blocks.indices.contains(index) else { return nil }
    return handle.texts.text(id(handle.blocks[index]).description)
}

@_cdecl("kinfolk_operator_blocks_record_id") @implementation
public func kinfolk_operator_blocks_record_id(_ blocks: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    lend(blocks, index, \.userRecordID)
}

@_cdecl("kinfolk_operator_blocks_other_record_id") @implementation
public func kinfolk_operator_blocks_other_record_id(_ blocks: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    lend(blocks, index, \.otherUserRecordID)
}

@_cdecl("kinfolk_operator_blocks_free") @implementation
public func kinfolk_operator_blocks_free(_ blocks: OpaquePointer?) { freeHandle(blocks, as: BlocksHandle.self) }
