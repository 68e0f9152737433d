public import CKinfolk
import Kinfolk

// One function for each type of value, and one for each type of list, because C has no overloads.

/// Makes a handle of a value.
private func make(
    _ handle: UnsafeMutablePointer<OpaquePointer?>?,
    _ value: () throws(KinfolkError) -> FieldValue
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let handle = try output(handle)
        let value = try value()
        guard value.size <= Record.maximumSize else { throw Record.tooLarge }
        handle.pointee = makeHandle(ValueHandle(value))
    }
}

/// Makes a list from arrays of the caller, element by element.
private func list<Element>(
    _ count: Int,
    size: (Element) -> Int = { _ in 0 },
    _ element: (Int) throws(KinfolkError) -> Element
) throws(KinfolkError) -> [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(count)
    var total = 0
    for index in 0..<count {
        elements.append(try element(index))
        total += size(elements[index])
        // Checked before more is copied: the array may hold the same large text a million times.
        guard total <= Record.maximumSize else { throw Record.tooLarge }
    }
    return elements
}

@_cdecl("kinfolk_value_new_string") @implementation
public func kinfolk_value_new_string(
    _ text: UnsafePointer<CChar>?,
    _ length: Int,
    _ value: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    make(value) { () throws(KinfolkError) in try .string(KinfolkC.text(text, length)) }
}

@_cdecl("kinfolk_value_new_int64") @implementation
public func kinfolk_value_new_int64(
    _ number: Int64,
    _ value: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    make(value) { .int64(number) }
}

@_cdecl("kinfolk_value_new_double") @implementation
public func kinfolk_value_new_double(
    _ number: Double,
    _ value: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    make(value) { .double(number) }
}

@_cdecl("kinfolk_value_new_boolean") @implementation
public func kinfolk_value_new_boolean(
    _ boolean: Bool,
    _ value: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    make(value) { .boolean(boolean) }
}

@_cdecl("kinfolk_value_new_bytes") @implementation
public func kinfolk_value_new_bytes(
    _ bytes: UnsafePointer<UInt8>?,
    _ length: Int,
    _ value: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    make(value) { () throws(KinfolkError) in
        try .bytes(Array(KinfolkC.bytes(bytes, length, atMost: Record.maximumSize)))
    }
}

@_cdecl("kinfolk_value_new_date") @implementation
public func kinfolk_value_new_date(
    _ microseconds: Int64,
    _ value: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    make(value) { .date(Timestamp(microseconds: microseconds)) }
}

@_cdecl("kinfolk_value_new_location") @implementation
public func kinfolk_value_new_location(
    _ latitude: Double,
    _ longitude: Double,
    _ value: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    make(value) { () throws(KinfolkError) in try .location(Location(latitude: latitude, longitude: longitude)) }
}

@_cdecl("kinfolk_value_new_reference") @implementation
public func kinfolk_value_new_reference(
    _ name: UnsafePointer<CChar>?,
    _ zone: UnsafePointer<CChar>?,
    _ action: kinfolk_reference_action,
    _ value: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    make(value) { () throws(KinfolkError) in try .reference(reference(name, zone, action)) }
}

@_cdecl("kinfolk_value_new_asset") @implementation
public func kinfolk_value_new_asset(
    _ asset: OpaquePointer?,
    _ value: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    make(value) { () throws(KinfolkError) in try .asset(KinfolkC.asset(asset)) }
}

@_cdecl("kinfolk_value_new_string_list") @implementation
public func kinfolk_value_new_string_list(
    _ texts: UnsafePointer<UnsafePointer<CChar>?>?,
    _ lengths: UnsafePointer<Int>?,
    _ count: Int,
    _ value: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    make(value) { () throws(KinfolkError) in
        let texts = try array(texts, count)
        return try .stringList(
            list(count, size: \.utf8.count) { index throws(KinfolkError) in
                guard let lengths else { return try text(texts[index]) }
                return try text(texts[index], lengths[index])
            }
        )
    }
}

@_cdecl("kinfolk_value_new_int64_list") @implementation
public func kinfolk_value_new_int64_list(
    _ numbers: UnsafePointer<Int64>?,
    _ count: Int,
    _ value: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    make(value) { () throws(KinfolkError) in try .int64List(Array(array(numbers, count))) }
}

@_cdecl("kinfolk_value_new_double_list") @implementation
public func kinfolk_value_new_double_list(
    _ numbers: UnsafePointer<Double>?,
    _ count: Int,
    _ value: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    make(value) { () throws(KinfolkError) in try .doubleList(Array(array(numbers, count))) }
}

@_cdecl("kinfolk_value_new_boolean_list") @implementation
public func kinfolk_value_new_boolean_list(
    _ booleans: UnsafePointer<Bool>?,
    _ count: Int,
    _ value: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    make(value) { () throws(KinfolkError) in try .booleanList(Array(array(booleans, count))) }
}

@_cdecl("kinfolk_value_new_bytes_list") @implementation
public func kinfolk_value_new_bytes_list(
    _ bytes: UnsafePointer<UnsafePointer<UInt8>?>?,
    _ lengths: UnsafePointer<Int>?,
    _ count: Int,
    _ value: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    make(value) { () throws(KinfolkError) in
        let bytes = try array(bytes, count)
        let lengths = try array(lengths, count)
        return try .bytesList(
            list(count, size: \.count) { index throws(KinfolkError) in
                Array(try KinfolkC.bytes(bytes[index], lengths[index], atMost: Record.maximumSize))
            }
        )
    }
}

@_cdecl("kinfolk_value_new_date_list") @implementation
public func kinfolk_value_new_date_list(
    _ microseconds: UnsafePointer<Int64>?,
    _ count: Int,
    _ value: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    make(value) { () throws(KinfolkError) in
        let microseconds = try array(microseconds, count)
        return try .dateList(list(count) { Timestamp(microseconds: microseconds[$0]) })
    }
}

@_cdecl("kinfolk_value_new_location_list") @implementation
public func kinfolk_value_new_location_list(
    _ latitudes: UnsafePointer<Double>?,
    _ longitudes: UnsafePointer<Double>?,
    _ count: Int,
    _ value: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    make(value) { () throws(KinfolkError) in
        let latitudes = try array(latitudes, count)
        let longitudes = try array(longitudes, count)
        return try .locationList(
            list(count) { index throws(KinfolkError) in
                try Location(latitude: latitudes[index], longitude: longitudes[index])
            }
        )
    }
}

@_cdecl("kinfolk_value_new_reference_list") @implementation
public func kinfolk_value_new_reference_list(
    _ names: UnsafePointer<UnsafePointer<CChar>?>?,
    _ zones: UnsafePointer<UnsafePointer<CChar>?>?,
    _ actions: UnsafePointer<kinfolk_reference_action>?,
    _ count: Int,
    _ value: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    make(value) { () throws(KinfolkError) in
        let names = try array(names, count)
        return try .referenceList(
            list(count, size: { $0.size }) { index throws(KinfolkError) in
                try reference(names[index], zones?[index], actions?[index] ?? KINFOLK_REFERENCE_NONE)
            }
        )
    }
}

@_cdecl("kinfolk_value_new_asset_list") @implementation
public func kinfolk_value_new_asset_list(
    _ assets: UnsafePointer<OpaquePointer?>?,
    _ count: Int,
    _ value: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    make(value) { () throws(KinfolkError) in
        let assets = try array(assets, count)
        return try .assetList(
            list(count, size: { _ in Asset.length }) { index throws(KinfolkError) in try asset(assets[index]) }
        )
    }
}
