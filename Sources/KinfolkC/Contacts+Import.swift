public import CKinfolk
import Kinfolk
import KinfolkThreads

/// The result of an import.
final class ImportHandle: Handle, @unchecked Sendable {
    let report: ContactImport
    let texts = TextArena()

    init(_ report: ContactImport) { self.report = report }
}

/// Adds many contacts, and returns the report if the caller wants it.
private func add(
    to contacts: OpaquePointer?,
    _ report: UnsafeMutablePointer<OpaquePointer?>?,
    _ body: (inout ContactBook) throws(KinfolkError) -> ContactImport
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let done = try object(contacts, as: ContactsHandle.self).book.withLock(body)
        report?.pointee = makeHandle(ImportHandle(done))
    }
}

/// The bytes of a text with a length.
private func content(_ text: UnsafePointer<CChar>?, _ length: Int) throws(KinfolkError) -> UnsafeRawBufferPointer {
    try bytes(UnsafeRawPointer(text)?.assumingMemoryBound(to: UInt8.self), length)
}

@_cdecl("kinfolk_contacts_add_text") @implementation
public func kinfolk_contacts_add_text(
    _ contacts: OpaquePointer?,
    _ text: UnsafePointer<CChar>?,
    _ length: Int,
    _ report: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    add(to: contacts, report) { book throws(KinfolkError) in try book.add(content(text, length), as: .list) }
}

@_cdecl("kinfolk_contacts_add_vcard") @implementation
public func kinfolk_contacts_add_vcard(
    _ contacts: OpaquePointer?,
    _ text: UnsafePointer<CChar>?,
    _ length: Int,
    _ report: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    add(to: contacts, report) { book throws(KinfolkError) in try book.add(content(text, length), as: .vCard) }
}

@_cdecl("kinfolk_contacts_add_csv") @implementation
public func kinfolk_contacts_add_csv(
    _ contacts: OpaquePointer?,
    _ text: UnsafePointer<CChar>?,
    _ length: Int,
    _ report: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    add(to: contacts, report) { book throws(KinfolkError) in try book.add(content(text, length), as: .csv) }
}

@_cdecl("kinfolk_contacts_add_ldif") @implementation
public func kinfolk_contacts_add_ldif(
    _ contacts: OpaquePointer?,
    _ text: UnsafePointer<CChar>?,
    _ length: Int,
    _ report: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    add(to: contacts, report) { book throws(KinfolkError) in try book.add(content(text, length), as: .ldif) }
}

@_cdecl("kinfolk_contacts_add_jcard") @implementation
public func kinfolk_contacts_add_jcard(
    _ contacts: OpaquePointer?,
    _ text: UnsafePointer<CChar>?,
    _ length: Int,
    _ report: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    add(to: contacts, report) { book throws(KinfolkError) in try book.add(content(text, length), as: .jCard) }
}

@_cdecl("kinfolk_contacts_add_file") @implementation
public func kinfolk_contacts_add_file(
    _ contacts: OpaquePointer?,
    _ path: UnsafePointer<CChar>?,
    _ report: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    add(to: contacts, report) { book throws(KinfolkError) in try book.add(contentsOfFile: KinfolkC.path(path)) }
}

private func report(_ handle: OpaquePointer?) -> ContactImport? {
    peek(handle, as: ImportHandle.self)?.report
}

@_cdecl("kinfolk_import_added") @implementation
public func kinfolk_import_added(_ handle: OpaquePointer?) -> Int { report(handle)?.added ?? 0 }

@_cdecl("kinfolk_import_entries") @implementation
public func kinfolk_import_entries(_ handle: OpaquePointer?) -> Int { report(handle)?.entries ?? 0 }

@_cdecl("kinfolk_import_without_email") @implementation
public func kinfolk_import_without_email(_ handle: OpaquePointer?) -> Int { report(handle)?.withoutEmail ?? 0 }

@_cdecl("kinfolk_import_skipped") @implementation
public func kinfolk_import_skipped(_ handle: OpaquePointer?) -> Int { report(handle)?.skippedCount ?? 0 }

@_cdecl("kinfolk_import_skip_count") @implementation
public func kinfolk_import_skip_count(_ handle: OpaquePointer?) -> Int { report(handle)?.skipped.count ?? 0 }

private func skip(_ handle: OpaquePointer?, _ index: Int) -> ContactImport.Skip? {
    guard let skipped = report(handle)?.skipped, skipped.indices.contains(index) else { return nil }
    return skipped[index]
}

@_cdecl("kinfolk_import_skip_line") @implementation
public func kinfolk_import_skip_line(_ handle: OpaquePointer?, _ index: Int) -> Int { skip(handle, index)?.line ?? 0 }

@_cdecl("kinfolk_import_skip_reason") @implementation
public func kinfolk_import_skip_reason(_ handle: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    guard let texts = peek(handle, as: ImportHandle.self)?.texts, let skip = skip(handle, index) else {
        return nil
    }
    return texts.text(skip.reason.sentence)
}

@_cdecl("kinfolk_import_free") @implementation
public func kinfolk_import_free(_ handle: OpaquePointer?) {
    freeHandle(handle, as: ImportHandle.self)
}
