public import CKinfolk
import Kinfolk

// One function for each type of elements, because C has no overloads.

/// The elements of a value, whether it is a list or not, if they have this type.
private func arrays(_ handle: OpaquePointer?, of type: FieldType) throws(KinfolkError) -> ValueArrays {
    guard let handle = peek(handle, as: ValueHandle.self) else { throw KinfolkError.null }
    guard let value = handle.value, value.type.rawValue & 15 == type.rawValue, let arrays = handle.arrays else {
        throw KinfolkError.otherType
    }
    return arrays
}

/// Lends numbers or booleans.
private func lend<Element>(
    _ value: OpaquePointer?,
    of type: FieldType,
    _ elements: UnsafeMutablePointer<UnsafePointer<Element>?>?,
    _ count: UnsafeMutablePointer<Int>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let elements = try output(elements)
        let count = try output(count)
        let arrays = try arrays(value, of: type)
        elements.pointee = UnsafePointer(arrays.elements.assumingMemoryBound(to: Element.self))
        count.pointee = arrays.count
    }
}

@_cdecl("kinfolk_value_get_strings") @implementation
public func kinfolk_value_get_strings(
    _ value: OpaquePointer?,
    _ texts: UnsafeMutablePointer<UnsafePointer<UnsafePointer<CChar>?>?>?,
    _ lengths: UnsafeMutablePointer<UnsafePointer<Int>?>?,
    _ count: UnsafeMutablePointer<Int>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let texts = try output(texts)
        let count = try output(count)
        let arrays = try arrays(value, of: .string)
        guard lengths != nil || !arrays.hasNUL else { throw KinfolkError.innerNUL }
        texts.pointee = UnsafePointer(arrays.elements.assumingMemoryBound(to: UnsafePointer<CChar>?.self))
        lengths?.pointee = UnsafePointer(arrays.others.assumingMemoryBound(to: Int.self))
        count.pointee = arrays.count
    }
}

@_cdecl("kinfolk_value_get_int64s") @implementation
public func kinfolk_value_get_int64s(
    _ value: OpaquePointer?,
    _ numbers: UnsafeMutablePointer<UnsafePointer<Int64>?>?,
    _ count: UnsafeMutablePointer<Int>?
) -> kinfolk_status {
    lend(value, of: .int64, numbers, count)
}

@_cdecl("kinfolk_value_get_doubles") @implementation
public func kinfolk_value_get_doubles(
    _ value: OpaquePointer?,
    _ numbers: UnsafeMutablePointer<UnsafePointer<Double>?>?,
    _ count: UnsafeMutablePointer<Int>?
) -> kinfolk_status {
    lend(value, of: .double, numbers, count)
}

@_cdecl("kinfolk_value_get_booleans") @implementation
public func kinfolk_value_get_booleans(
    _ value: OpaquePointer?,
    _ booleans: UnsafeMutablePointer<UnsafePointer<Bool>?>?,
    _ count: UnsafeMutablePointer<Int>?
) -> kinfolk_status {
    lend(value, of: .boolean, booleans, count)
}

@_cdecl("kinfolk_value_get_bytes") @implementation
public func kinfolk_value_get_bytes(
    _ value: OpaquePointer?,
    _ bytes: UnsafeMutablePointer<UnsafePointer<UnsafePointer<UInt8>?>?>?,
    _ lengths: UnsafeMutablePointer<UnsafePointer<Int>?>?,
    _ count: UnsafeMutablePointer<Int>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let bytes = try output(bytes)
        let lengths = try output(lengths)
        let count = try output(count)
        let arrays = try arrays(value, of: .bytes)
        bytes.pointee = UnsafePointer(arrays.elements.assumingMemoryBound(to: UnsafePointer<UInt8>?.self))
        lengths.pointee = UnsafePointer(arrays.others.assumingMemoryBound(to: Int.self))
        count.pointee = arrays.count
    }
}

@_cdecl("kinfolk_value_get_dates") @implementation
public func kinfolk_value_get_dates(
    _ value: OpaquePointer?,
    _ microseconds: UnsafeMutablePointer<UnsafePointer<Int64>?>?,
    _ count: UnsafeMutablePointer<Int>?
) -> kinfolk_status {
    lend(value, of: .date, microseconds, count)
}

@_cdecl("kinfolk_value_get_locations") @implementation
public func kinfolk_value_get_locations(
    _ value: OpaquePointer?,
    _ latitudes: UnsafeMutablePointer<UnsafePointer<Double>?>?,
    _ longitudes: UnsafeMutablePointer<UnsafePointer<Double>?>?,
    _ count: UnsafeMutablePointer<Int>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let latitudes = try output(latitudes)
        let longitudes = try output(longitudes)
        let count = try output(count)
        let arrays = try arrays(value, of: .location)
        latitudes.pointee = UnsafePointer(arrays.elements.assumingMemoryBound(to: Double.self))
        longitudes.pointee = UnsafePointer(arrays.others.assumingMemoryBound(to: Double.self))
        count.pointee = arrays.count
    }
}

@_cdecl("kinfolk_value_get_references") @implementation
public func kinfolk_value_get_references(
    _ value: OpaquePointer?,
    _ names: UnsafeMutablePointer<UnsafePointer<UnsafePointer<CChar>?>?>?,
    _ zones: UnsafeMutablePointer<UnsafePointer<UnsafePointer<CChar>?>?>?,
    _ actions: UnsafeMutablePointer<UnsafePointer<kinfolk_reference_action>?>?,
    _ count: UnsafeMutablePointer<Int>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let names = try output(names)
        let count = try output(count)
        let arrays = try arrays(value, of: .reference)
        names.pointee = UnsafePointer(arrays.elements.assumingMemoryBound(to: UnsafePointer<CChar>?.self))
        zones?.pointee = (arrays.zones?.elements).map {
            UnsafePointer($0.assumingMemoryBound(to: UnsafePointer<CChar>?.self))
        }
        actions?.pointee = (arrays.actions?.elements).map {
            UnsafePointer($0.assumingMemoryBound(to: kinfolk_reference_action.self))
        }
        count.pointee = arrays.count
    }
}
