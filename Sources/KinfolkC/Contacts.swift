public import CKinfolk
import Kinfolk
import KinfolkThreads

/// A contact book, and the labels that C has borrowed from it.
final class ContactsHandle: Handle, @unchecked Sendable {
    let book = Lock(ContactBook())
    let texts = TextArena()
}

/// Changes a book in place.
private func change<Result>(
    _ handle: OpaquePointer?,
    _ body: (inout ContactBook) throws(KinfolkError) -> Result
) throws(KinfolkError) -> Result {
    try object(handle, as: ContactsHandle.self).book.withLock(body)
}

@_cdecl("kinfolk_contacts_new") @implementation
public func kinfolk_contacts_new(_ contacts: UnsafeMutablePointer<OpaquePointer?>?) -> kinfolk_status {
    attempt { () throws(KinfolkError) in try output(contacts).pointee = makeHandle(ContactsHandle()) }
}

@_cdecl("kinfolk_contacts_add_email") @implementation
public func kinfolk_contacts_add_email(
    _ contacts: OpaquePointer?,
    _ email: UnsafePointer<CChar>?,
    _ label: UnsafePointer<CChar>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let hash = try withText(email, EmailAddress.contactHash)
        let label = label == nil ? "" : try text(label)
        try change(contacts) { book throws(KinfolkError) in try book.add(hash: hash, label: label) }
    }
}

@_cdecl("kinfolk_contacts_add_hash") @implementation
public func kinfolk_contacts_add_hash(
    _ contacts: OpaquePointer?,
    _ hash: UnsafePointer<UInt8>?,
    _ length: Int,
    _ label: UnsafePointer<CChar>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let hash = try ContactHash(binaryOrHex: hash, length)
        let label = label == nil ? "" : try text(label)
        try change(contacts) { book throws(KinfolkError) in try book.add(hash: hash, label: label) }
    }
}

extension ContactHash {
    /// A hash of 32 bytes, or of 64 hexadecimal digits.
    fileprivate init(binaryOrHex pointer: UnsafePointer<UInt8>?, _ length: Int) throws(KinfolkError) {
        guard let pointer else { throw KinfolkError.null }
        let lengths = [ContactHash.byteCount, 2 * ContactHash.byteCount]
        let bytes = UnsafeRawBufferPointer(start: pointer, count: lengths.contains(length) ? length : 0)
        guard let hash = ContactHash(bytes: bytes) ?? ContactHash(hex: String(decoding: bytes, as: UTF8.self)) else {
            throw KinfolkError(.invalidArgument, "A contact hash must be 32 bytes, or 64 hexadecimal digits.")
        }
        self = hash
    }
}

@_cdecl("kinfolk_contacts_count") @implementation
public func kinfolk_contacts_count(_ contacts: OpaquePointer?) -> Int {
    peek(contacts, as: ContactsHandle.self)?.book.withLock { $0.count } ?? 0
}

@_cdecl("kinfolk_contacts_label") @implementation
public func kinfolk_contacts_label(_ contacts: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    guard let handle = peek(contacts, as: ContactsHandle.self) else { return nil }
    let label = handle.book.withLock { book in index >= 0 && index < book.count ? book.label(at: index) : nil }
    return label.flatMap(handle.texts.text)
}

@_cdecl("kinfolk_contacts_get_hash") @implementation
public func kinfolk_contacts_get_hash(
    _ contacts: OpaquePointer?,
    _ index: Int,
    _ hash: UnsafeMutablePointer<UInt8>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let output = try output(hash)
        let handle = try object(contacts, as: ContactsHandle.self)
        let found = handle.book.withLock { book in index >= 0 && index < book.count ? book.hash(at: index) : nil }
        guard let found else { throw KinfolkError(.unknownItem, "The book has no contact at this index.") }
        found.copy(to: output)
    }
}

@_cdecl("kinfolk_contacts_free") @implementation
public func kinfolk_contacts_free(_ contacts: OpaquePointer?) {
    freeHandle(contacts, as: ContactsHandle.self)
}
