public import CKinfolk
import Kinfolk
import Synchronization

/// A value that C owns, and its elements as C's arrays, which C borrows.
///
/// Nothing in it changes, so it needs no lock, and it can be read in a forked child.
final class ValueHandle: Handle, @unchecked Sendable {
    enum Content {
        case field(FieldValue)
        /// An array or a dictionary of the key-value store.
        case compound(CompoundValue)
    }

    let content: Content
    private let stored = AtomicLazyReference<ValueArrays>()
    private let converted = AtomicLazyReference<KeyValueElement>()

    init(_ value: FieldValue) { content = .field(value) }

    init(_ value: CompoundValue) { content = .compound(value) }

    /// The value of a field; nil for an array or a dictionary.
    var value: FieldValue? { if case .field(let value) = content { value } else { nil } }

    /// The elements as arrays, which are made when they are first read. If two threads make them, both get those of the first. Nil for an
    /// array or a dictionary.
    var arrays: ValueArrays? { value.map { value in stored.load() ?? stored.storeIfNil(ValueArrays(value)) } }
}

extension ValueHandle {
    /// The value for the key-value store, which is converted once.
    func keyValue() throws(KinfolkError) -> KeyValueElement {
        if let known = converted.load() { return known }
        let value =
            switch content {
            case .compound(let compound): compound.value
            case .field(let value): try PropertyListValue(value)
            }
        return converted.storeIfNil(KeyValueElement(value))
    }
}

/// The value of a field, which may not be NULL.
func value(_ handle: OpaquePointer?) throws(KinfolkError) -> FieldValue {
    guard let handle = peek(handle, as: ValueHandle.self) else { throw KinfolkError.null }
    guard let value = handle.value else {
        throw KinfolkError(.invalidArgument, "Arrays and dictionaries belong to the key-value store.")
    }
    return value
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
    switch peek(value, as: ValueHandle.self)?.content {
    case .field(let value): kinfolk_field_type(UInt32(value.type.rawValue))
    case .compound(let value): value.isDictionary ? KINFOLK_DICTIONARY : KINFOLK_ARRAY
    case nil: kinfolk_field_type(0)
    }
}

@_cdecl("kinfolk_value_count") @implementation
public func kinfolk_value_count(_ value: OpaquePointer?) -> Int {
    switch peek(value, as: ValueHandle.self)?.content {
    case .field(let value): value.count
    case .compound(let value): value.elements.count
    case nil: 0
    }
}

@_cdecl("kinfolk_value_free") @implementation
public func kinfolk_value_free(_ value: OpaquePointer?) {
    freeHandle(value, as: ValueHandle.self)
}
