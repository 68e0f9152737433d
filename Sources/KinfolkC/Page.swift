public import CKinfolk
import Kinfolk

/// A page of the records that satisfy a query, and the cursor that C has borrowed from it.
final class PageHandle: Handle, @unchecked Sendable {
    let page: QueryPage
    let texts = TextArena()

    init(_ page: QueryPage) { self.page = page }
}

@_cdecl("kinfolk_page_count") @implementation
public func kinfolk_page_count(_ page: OpaquePointer?) -> Int {
    peek(page, as: PageHandle.self)?.page.records.count ?? 0
}

@_cdecl("kinfolk_page_record") @implementation
public func kinfolk_page_record(
    _ page: OpaquePointer?,
    _ index: Int,
    _ record: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let record = try output(record)
        guard let records = peek(page, as: PageHandle.self)?.page.records else { throw KinfolkError.null }
        guard records.indices.contains(index) else { throw KinfolkError(.unknownItem, "The page has no such index.") }
        record.pointee = makeHandle(RecordHandle(records[index]))
    }
}

@_cdecl("kinfolk_page_cursor") @implementation
public func kinfolk_page_cursor(
    _ page: OpaquePointer?,
    _ cursor: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ length: UnsafeMutablePointer<Int>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let cursor = try output(cursor)
        let length = try output(length)
        guard let handle = peek(page, as: PageHandle.self) else { throw KinfolkError.null }
        let bytes = handle.page.cursor?.bytes
        cursor.pointee = bytes.flatMap(handle.texts.bytes)
        length.pointee = bytes?.count ?? 0
    }
}

@_cdecl("kinfolk_page_free") @implementation
public func kinfolk_page_free(_ page: OpaquePointer?) { freeHandle(page, as: PageHandle.self) }
