public import CKinfolk
import Kinfolk

/// A key-value store, and the callback that is registered for it.
final class KeyValueHandle: Handle, @unchecked Sendable {
    let store: KeyValueStore
    let changes = ObservationSlot<StoreObservation> { $0.cancel() }

    init(_ store: KeyValueStore) { self.store = store }
}

/// All keys with their values at one moment.
final class KeyValueEntriesHandle: Handle, @unchecked Sendable {
    let entries: [(key: String, value: PropertyListValue)]
    let texts = TextArena()

    init(_ entries: [(key: String, value: PropertyListValue)]) { self.entries = entries }
}

/// Keys that changed, one for each reason.
final class KeyValueChangesHandle: Handle, @unchecked Sendable {
    /// The key is nil if a reason has no keys.
    let changes: [(reason: KeyValueChange.Reason, key: String?)]
    let texts = TextArena()

    init(_ changes: [KeyValueChange]) {
        self.changes = changes.sorted { $0.reason.rawValue < $1.reason.rawValue }.flatMap { change in
            change.keys.isEmpty ? [(change.reason, nil)] : change.keys.map { (change.reason, $0) }
        }
    }
}

private func store(_ handle: OpaquePointer?) throws(KinfolkError) -> KeyValueStore {
    try object(handle, as: KeyValueHandle.self).store
}

@_cdecl("kinfolk_session_keyvalue") @implementation
public func kinfolk_session_keyvalue(
    _ handle: OpaquePointer?,
    _ store: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let store = try output(store)
        store.pointee = try makeHandle(KeyValueHandle(session(handle).keyValueStore()))
    }
}

@_cdecl("kinfolk_keyvalue_get") @implementation
public func kinfolk_keyvalue_get(
    _ handle: OpaquePointer?,
    _ key: UnsafePointer<CChar>?,
    _ value: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let value = try output(value)
        guard let found = try store(handle).value(forKey: text(key)) else {
            throw KinfolkError(.unknownItem, "The key has no value.")
        }
        value.pointee = makeValueHandle(found)
    }
}

@_cdecl("kinfolk_keyvalue_set") @implementation
public func kinfolk_keyvalue_set(
    _ handle: OpaquePointer?,
    _ key: UnsafePointer<CChar>?,
    _ value: OpaquePointer?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in try store(handle).set(keyValue(value).value, forKey: text(key)) }
}

@_cdecl("kinfolk_keyvalue_remove") @implementation
public func kinfolk_keyvalue_remove(_ handle: OpaquePointer?, _ key: UnsafePointer<CChar>?) -> kinfolk_status {
    attempt { () throws(KinfolkError) in try store(handle).removeValue(forKey: text(key)) }
}

@_cdecl("kinfolk_keyvalue_free") @implementation
public func kinfolk_keyvalue_free(_ handle: OpaquePointer?) {
    peek(handle, as: KeyValueHandle.self)?.changes.replace()
    freeHandle(handle, as: KeyValueHandle.self)
}

// MARK: Entries

@_cdecl("kinfolk_keyvalue_all") @implementation
public func kinfolk_keyvalue_all(
    _ handle: OpaquePointer?,
    _ entries: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let entries = try output(entries)
        entries.pointee = try makeHandle(KeyValueEntriesHandle(store(handle).entries()))
    }
}

@_cdecl("kinfolk_keyvalue_entries_count") @implementation
public func kinfolk_keyvalue_entries_count(_ entries: OpaquePointer?) -> Int {
    peek(entries, as: KeyValueEntriesHandle.self)?.entries.count ?? 0
}

@_cdecl("kinfolk_keyvalue_entries_key") @implementation
public func kinfolk_keyvalue_entries_key(_ entries: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    guard let handle = peek(entries, as: KeyValueEntriesHandle.self), handle.entries.indices.contains(index) else {
        return nil
    }
    return handle.texts.text(handle.entries[index].key)
}

@_cdecl("kinfolk_keyvalue_entries_value") @implementation
public func kinfolk_keyvalue_entries_value(
    _ entries: OpaquePointer?,
    _ index: Int,
    _ value: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let value = try output(value)
        guard let entries = peek(entries, as: KeyValueEntriesHandle.self)?.entries else { throw KinfolkError.null }
        guard entries.indices.contains(index) else {
            throw KinfolkError(.unknownItem, "The list of keys has no such index.")
        }
        value.pointee = makeValueHandle(entries[index].value)
    }
}

@_cdecl("kinfolk_keyvalue_entries_free") @implementation
public func kinfolk_keyvalue_entries_free(_ entries: OpaquePointer?) {
    freeHandle(entries, as: KeyValueEntriesHandle.self)
}

// MARK: Changes

@_cdecl("kinfolk_keyvalue_synchronize") @implementation
public func kinfolk_keyvalue_synchronize(
    _ handle: OpaquePointer?,
    _ changes: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let changes = try output(changes)
        changes.pointee = try makeHandle(KeyValueChangesHandle(store(handle).synchronize()))
    }
}

/// The change at an index; nil past the end.
private func change(_ handle: OpaquePointer?, _ index: Int) -> (reason: KeyValueChange.Reason, key: String?)? {
    guard let changes = peek(handle, as: KeyValueChangesHandle.self)?.changes, changes.indices.contains(index) else {
        return nil
    }
    return changes[index]
}

@_cdecl("kinfolk_keyvalue_changes_count") @implementation
public func kinfolk_keyvalue_changes_count(_ changes: OpaquePointer?) -> Int {
    peek(changes, as: KeyValueChangesHandle.self)?.changes.count ?? 0
}

@_cdecl("kinfolk_keyvalue_changes_reason") @implementation
public func kinfolk_keyvalue_changes_reason(_ changes: OpaquePointer?, _ index: Int) -> kinfolk_keyvalue_reason {
    kinfolk_keyvalue_reason(UInt32(bitPattern: change(changes, index)?.reason.rawValue ?? 0))
}

@_cdecl("kinfolk_keyvalue_changes_key") @implementation
public func kinfolk_keyvalue_changes_key(_ changes: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    change(changes, index)?.key.flatMap { peek(changes, as: KeyValueChangesHandle.self)?.texts.text($0) }
}

@_cdecl("kinfolk_keyvalue_changes_free") @implementation
public func kinfolk_keyvalue_changes_free(_ changes: OpaquePointer?) {
    freeHandle(changes, as: KeyValueChangesHandle.self)
}

@_cdecl("kinfolk_keyvalue_on_change") @implementation
public func kinfolk_keyvalue_on_change(
    _ handle: OpaquePointer?,
    _ changed: kinfolk_keyvalue_fn?,
    _ context: UnsafeMutableRawPointer?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let handle = try object(handle, as: KeyValueHandle.self)
        let callback = changed.map { KeyValueCallback(function: $0, context: context) }
        let new = try callback.map { callback throws(KinfolkError) in
            try handle.store.onChange { change in callback.call(change) }
        }
        handle.changes.replace(by: new)
    }
}

/// A function of the host and its context. The host is responsible that it may be called on a thread of the service.
private struct KeyValueCallback: @unchecked Sendable {
    let function: kinfolk_keyvalue_fn
    let context: UnsafeMutableRawPointer?

    func call(_ change: KeyValueChange) {
        let handle = makeHandle(KeyValueChangesHandle([change]))
        defer { freeHandle(handle, as: KeyValueChangesHandle.self) }
        function(handle, context)
    }
}
