public import CKinfolk
import Kinfolk
import KinfolkThreads

// One function for each type of value, and one for each type of list, because C has no overloads.

/// Sets a field of a record to a value.
private func set(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ value: () throws(KinfolkError) -> FieldValue
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let handle = try object(record, as: RecordHandle.self)
        let name = try text(name)
        let value = try value()
        try handle.record.withLock { record throws(KinfolkError) in try record.set(name, to: value) }
    }
}

/// Makes a list from an array of the caller, value by value.
private func list<Element, Value>(
    _ pointer: UnsafePointer<Element>?,
    _ count: Int,
    size: (Value) -> Int = { _ in 0 },
    _ value: (Element) throws(KinfolkError) -> Value
) throws(KinfolkError) -> [Value] {
    var values: [Value] = []
    var total = 0
    for element in try array(pointer, count) {
        values.append(try value(element))
        total += size(values[values.count - 1])
        // Checked before more is copied: the array may hold the same large text a million times.
        guard total <= Record.maximumSize else { throw Record.tooLarge }
    }
    return values
}

@_cdecl("kinfolk_record_set_string") @implementation
public func kinfolk_record_set_string(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ value: UnsafePointer<CChar>?
) -> kinfolk_status {
    set(record, name) { () throws(KinfolkError) in try .string(text(value)) }
}

@_cdecl("kinfolk_record_set_int64") @implementation
public func kinfolk_record_set_int64(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ value: Int64
) -> kinfolk_status {
    set(record, name) { () throws(KinfolkError) in .int64(value) }
}

@_cdecl("kinfolk_record_set_double") @implementation
public func kinfolk_record_set_double(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ value: Double
) -> kinfolk_status {
    set(record, name) { () throws(KinfolkError) in .double(value) }
}

@_cdecl("kinfolk_record_set_boolean") @implementation
public func kinfolk_record_set_boolean(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ value: Bool
) -> kinfolk_status {
    set(record, name) { () throws(KinfolkError) in .boolean(value) }
}

@_cdecl("kinfolk_record_set_bytes") @implementation
public func kinfolk_record_set_bytes(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ bytes: UnsafePointer<UInt8>?,
    _ length: Int
) -> kinfolk_status {
    set(record, name) { () throws(KinfolkError) in
        try .bytes(Array(KinfolkC.bytes(bytes, length, atMost: Record.maximumSize)))
    }
}

@_cdecl("kinfolk_record_set_date") @implementation
public func kinfolk_record_set_date(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ microseconds: Int64
) -> kinfolk_status {
    set(record, name) { () throws(KinfolkError) in .date(Timestamp(microseconds: microseconds)) }
}

@_cdecl("kinfolk_record_set_location") @implementation
public func kinfolk_record_set_location(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ latitude: Double,
    _ longitude: Double
) -> kinfolk_status {
    set(record, name) { () throws(KinfolkError) in try .location(Location(latitude: latitude, longitude: longitude)) }
}

@_cdecl("kinfolk_record_set_reference") @implementation
public func kinfolk_record_set_reference(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ user_record_id: UnsafePointer<CChar>?
) -> kinfolk_status {
    set(record, name) { () throws(KinfolkError) in try .reference(UserRecordID(text(user_record_id))) }
}

@_cdecl("kinfolk_record_set_string_list") @implementation
public func kinfolk_record_set_string_list(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ values: UnsafePointer<UnsafePointer<CChar>?>?,
    _ count: Int
) -> kinfolk_status {
    set(record, name) { () throws(KinfolkError) in
        try .stringList(list(values, count, size: \.utf8.count, text))
    }
}

@_cdecl("kinfolk_record_set_int64_list") @implementation
public func kinfolk_record_set_int64_list(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ values: UnsafePointer<Int64>?,
    _ count: Int
) -> kinfolk_status {
    set(record, name) { () throws(KinfolkError) in
        try .int64List(Array(array(values, count)))
    }
}

@_cdecl("kinfolk_record_set_double_list") @implementation
public func kinfolk_record_set_double_list(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ values: UnsafePointer<Double>?,
    _ count: Int
) -> kinfolk_status {
    set(record, name) { () throws(KinfolkError) in
        try .doubleList(Array(array(values, count)))
    }
}

@_cdecl("kinfolk_record_set_boolean_list") @implementation
public func kinfolk_record_set_boolean_list(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ values: UnsafePointer<Bool>?,
    _ count: Int
) -> kinfolk_status {
    set(record, name) { () throws(KinfolkError) in
        try .booleanList(Array(array(values, count)))
    }
}

@_cdecl("kinfolk_record_set_date_list") @implementation
public func kinfolk_record_set_date_list(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ microseconds: UnsafePointer<Int64>?,
    _ count: Int
) -> kinfolk_status {
    set(record, name) { () throws(KinfolkError) in
        try .dateList(list(microseconds, count) { Timestamp(microseconds: $0) })
    }
}

@_cdecl("kinfolk_record_set_reference_list") @implementation
public func kinfolk_record_set_reference_list(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ user_record_ids: UnsafePointer<UnsafePointer<CChar>?>?,
    _ count: Int
) -> kinfolk_status {
    set(record, name) { () throws(KinfolkError) in
        try .referenceList(
            list(user_record_ids, count) { id throws(KinfolkError) in try UserRecordID(text(id)) }
        )
    }
}

@_cdecl("kinfolk_record_set_bytes_list") @implementation
public func kinfolk_record_set_bytes_list(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ values: UnsafePointer<UnsafePointer<UInt8>?>?,
    _ lengths: UnsafePointer<Int>?,
    _ count: Int
) -> kinfolk_status {
    set(record, name) { () throws(KinfolkError) in
        let lengths = try array(lengths, count)
        var index = 0
        return .bytesList(
            try list(values, count, size: \.count) { value throws(KinfolkError) in
                defer { index += 1 }
                return Array(try bytes(value, lengths[index], atMost: Record.maximumSize))
            }
        )
    }
}

@_cdecl("kinfolk_record_set_location_list") @implementation
public func kinfolk_record_set_location_list(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ latitudes: UnsafePointer<Double>?,
    _ longitudes: UnsafePointer<Double>?,
    _ count: Int
) -> kinfolk_status {
    set(record, name) { () throws(KinfolkError) in
        let latitudes = try array(latitudes, count)
        let longitudes = try array(longitudes, count)
        var locations: [Location] = []
        for (latitude, longitude) in zip(latitudes, longitudes) {
            locations.append(try Location(latitude: latitude, longitude: longitude))
        }
        return .locationList(locations)
    }
}
