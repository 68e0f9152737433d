public import CKinfolk
import Kinfolk
import Synchronization

/// A value that C owns, and its elements as C's arrays, which C borrows.
///
/// Nothing in it changes, so it needs no lock, and it can be read in a forked child.
final class ValueHandle: Handle, @unchecked Sendable {
    let value: FieldValue
    private let stored = AtomicLazyReference<ValueArrays>()

    init(_ value: FieldValue) { self.value = value }

    /// The elements as arrays, which are made when they are first read. If two threads make them, both get those of the first.
    var arrays: ValueArrays { stored.load() ?? stored.storeIfNil(ValueArrays(value)) }
}

/// A value that may not be NULL.
func value(_ handle: OpaquePointer?) throws(KinfolkError) -> FieldValue {
    guard let handle = peek(handle, as: ValueHandle.self) else { throw KinfolkError.null }
    return handle.value
}

/// A reference to a record that C names.
///
/// - Parameter zone: NULL for the zone of the record that the reference will be set in.
func reference(
    _ name: UnsafePointer<CChar>?,
    _ zone: UnsafePointer<CChar>?,
    _ action: kinfolk_reference_action
) throws(KinfolkError) -> Reference {
    guard let action = ReferenceAction(rawValue: Int32(truncatingIfNeeded: action.rawValue)) else {
        throw KinfolkError(.invalidArgument, "The action of a reference is unknown.")
    }
    return try Reference(named: text(name), zone: zone == nil ? nil : text(zone), action: action)
}

@_cdecl("kinfolk_value_type") @implementation
public func kinfolk_value_type(_ value: OpaquePointer?) -> kinfolk_field_type {
    kinfolk_field_type(UInt32(peek(value, as: ValueHandle.self)?.value.type.rawValue ?? 0))
}

@_cdecl("kinfolk_value_count") @implementation
public func kinfolk_value_count(_ value: OpaquePointer?) -> Int { peek(value, as: ValueHandle.self)?.value.count ?? 0 }

@_cdecl("kinfolk_value_free") @implementation
public func kinfolk_value_free(_ value: OpaquePointer?) {
    freeHandle(value, as: ValueHandle.self)
}
