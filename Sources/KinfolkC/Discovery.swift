public import CKinfolk
import Kinfolk
import KinfolkThreads

/// The result of a discovery, and the texts that C has borrowed from it.
final class IdentitiesHandle: Handle, @unchecked Sendable {
    let identities: [DiscoveredIdentity]
    let syncState: [UInt8]
    let texts = TextArena()

    init(_ identities: [DiscoveredIdentity], syncState: [UInt8] = []) {
        self.identities = identities
        self.syncState = syncState
    }

    /// The bytes of the sync state, after the first request for them.
    func lentSyncState() -> UnsafePointer<UInt8>? { syncState.isEmpty ? nil : texts.bytes(syncState) }
}

@_cdecl("kinfolk_discover_record_id") @implementation
public func kinfolk_discover_record_id(
    _ handle: OpaquePointer?,
    _ id: UnsafePointer<CChar>?,
    _ identities: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let identities = try output(identities)
        let found = try session(handle).discover(UserRecordID(text(id)))
        identities.pointee = makeHandle(IdentitiesHandle(found.map { [$0] } ?? []))
    }
}

@_cdecl("kinfolk_discover_email") @implementation
public func kinfolk_discover_email(
    _ handle: OpaquePointer?,
    _ email: UnsafePointer<CChar>?,
    _ identities: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let identities = try output(identities)
        let found = try session(handle).discover(EmailAddress(text(email)))
        identities.pointee = makeHandle(IdentitiesHandle(found.map { [$0] } ?? []))
    }
}

@_cdecl("kinfolk_discover_contacts") @implementation
public func kinfolk_discover_contacts(
    _ handle: OpaquePointer?,
    _ contacts: OpaquePointer?,
    _ sync_state: UnsafePointer<UInt8>?,
    _ sync_state_length: Int,
    _ identities: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let identities = try output(identities)
        let syncState = Array(try bytes(sync_state, sync_state_length))
        // A copy-on-write copy of the book: if another thread adds to the book meanwhile, this call is not affected.
        let book = try object(contacts, as: ContactsHandle.self).book.withLock { $0 }
        let found = try session(handle).discover(book, syncState: syncState)
        identities.pointee = makeHandle(IdentitiesHandle(found.identities, syncState: found.syncState))
    }
}

@_cdecl("kinfolk_identities_sync_state") @implementation
public func kinfolk_identities_sync_state(
    _ identities: OpaquePointer?,
    _ sync_state: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ length: UnsafeMutablePointer<Int>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let sync_state = try output(sync_state)
        let length = try output(length)
        let handle = try object(identities, as: IdentitiesHandle.self)
        sync_state.pointee = handle.lentSyncState()
        length.pointee = handle.syncState.count
    }
}

private func identity(_ handle: OpaquePointer?, _ index: Int) -> DiscoveredIdentity? {
    guard let identities = peek(handle, as: IdentitiesHandle.self)?.identities,
        identities.indices.contains(index)
    else { return nil }
    return identities[index]
}

private func contact(_ handle: OpaquePointer?, _ index: Int, _ contact: Int) -> DiscoveredIdentity.Contact? {
    guard let contacts = identity(handle, index)?.contacts, contacts.indices.contains(contact) else { return nil }
    return contacts[contact]
}

private func lend(_ handle: OpaquePointer?, _ text: String?) -> UnsafePointer<CChar>? {
    guard let texts = peek(handle, as: IdentitiesHandle.self)?.texts else { return nil }
    return text.flatMap(texts.text)
}

@_cdecl("kinfolk_identities_count") @implementation
public func kinfolk_identities_count(_ identities: OpaquePointer?) -> Int {
    peek(identities, as: IdentitiesHandle.self)?.identities.count ?? 0
}

@_cdecl("kinfolk_identities_record_id") @implementation
public func kinfolk_identities_record_id(_ identities: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    lend(identities, identity(identities, index)?.userRecordID.description)
}

@_cdecl("kinfolk_identities_given_name") @implementation
public func kinfolk_identities_given_name(_ identities: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    lend(identities, identity(identities, index)?.name.givenName)
}

@_cdecl("kinfolk_identities_family_name") @implementation
public func kinfolk_identities_family_name(_ identities: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    lend(identities, identity(identities, index)?.name.familyName)
}

@_cdecl("kinfolk_identities_contact_count") @implementation
public func kinfolk_identities_contact_count(_ identities: OpaquePointer?, _ index: Int) -> Int {
    identity(identities, index)?.contacts.count ?? 0
}

@_cdecl("kinfolk_identities_contact_index") @implementation
public func kinfolk_identities_contact_index(_ identities: OpaquePointer?, _ index: Int, _ position: Int) -> Int {
    // -1 is SIZE_MAX.
    contact(identities, index, position)?.index ?? -1
}

@_cdecl("kinfolk_identities_contact_label") @implementation
public func kinfolk_identities_contact_label(
    _ identities: OpaquePointer?,
    _ index: Int,
    _ position: Int
) -> UnsafePointer<CChar>? {
    lend(identities, contact(identities, index, position)?.label)
}

@_cdecl("kinfolk_identities_free") @implementation
public func kinfolk_identities_free(_ identities: OpaquePointer?) {
    freeHandle(identities, as: IdentitiesHandle.self)
}
