public import CKinfolk
import Kinfolk

// One function for each type of value, because C has no overloads. A field that is not a list has its value at index 0.

/// The value at an index of a field. `values` extracts the values of one type.
private func get<Value>(
    _ field: FieldValue,
    _ index: Int,
    _ values: (FieldValue) -> [Value]?
) throws(KinfolkError) -> Value {
    guard let values = values(field) else {
        throw KinfolkError(.invalidArgument, "The field is of another type.")
    }
    guard values.indices.contains(index) else { throw KinfolkError(.unknownItem, "The field has no such index.") }
    return values[index]
}

@_cdecl("kinfolk_record_get_count") @implementation
public func kinfolk_record_get_count(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ count: UnsafeMutablePointer<Int>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let count = try output(count)
        count.pointee = try field(record, name).value.count
    }
}

@_cdecl("kinfolk_record_get_string") @implementation
public func kinfolk_record_get_string(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ index: Int,
    _ value: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let value = try output(value)
        let (handle, field) = try field(record, name)
        value.pointee = handle.texts.text(
            try get(field, index) { field in
                switch field {
                case .string(let value): [value]
                case .stringList(let values): values
                default: nil
                }
            }
        )
    }
}

@_cdecl("kinfolk_record_get_int64") @implementation
public func kinfolk_record_get_int64(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ index: Int,
    _ value: UnsafeMutablePointer<Int64>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let value = try output(value)
        let (_, field) = try field(record, name)
        value.pointee = try get(field, index) { field in
            switch field {
            case .int64(let value): [value]
            case .int64List(let values): values
            default: nil
            }
        }
    }
}

@_cdecl("kinfolk_record_get_double") @implementation
public func kinfolk_record_get_double(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ index: Int,
    _ value: UnsafeMutablePointer<Double>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let value = try output(value)
        let (_, field) = try field(record, name)
        value.pointee = try get(field, index) { field in
            switch field {
            case .double(let value): [value]
            case .doubleList(let values): values
            default: nil
            }
        }
    }
}

@_cdecl("kinfolk_record_get_boolean") @implementation
public func kinfolk_record_get_boolean(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ index: Int,
    _ value: UnsafeMutablePointer<Bool>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let value = try output(value)
        let (_, field) = try field(record, name)
        value.pointee = try get(field, index) { field in
            switch field {
            case .boolean(let value): [value]
            case .booleanList(let values): values
            default: nil
            }
        }
    }
}

@_cdecl("kinfolk_record_get_date") @implementation
public func kinfolk_record_get_date(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ index: Int,
    _ microseconds: UnsafeMutablePointer<Int64>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let microseconds = try output(microseconds)
        let (_, field) = try field(record, name)
        microseconds.pointee = try get(field, index) { field in
            switch field {
            case .date(let value): [value]
            case .dateList(let values): values
            default: nil
            }
        }.microseconds
    }
}

@_cdecl("kinfolk_record_get_reference") @implementation
public func kinfolk_record_get_reference(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ index: Int,
    _ user_record_id: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let user_record_id = try output(user_record_id)
        let (handle, field) = try field(record, name)
        user_record_id.pointee = handle.texts.text(
            try get(field, index) { field in
                switch field {
                case .reference(let value): [value]
                case .referenceList(let values): values
                default: nil
                }
            }.description
        )
    }
}

@_cdecl("kinfolk_record_get_bytes") @implementation
public func kinfolk_record_get_bytes(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ index: Int,
    _ bytes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ length: UnsafeMutablePointer<Int>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let bytes = try output(bytes)
        let length = try output(length)
        let (handle, field) = try field(record, name)
        let value = try get(field, index) { field in
            switch field {
            case .bytes(let value): [value]
            case .bytesList(let values): values
            default: nil
            }
        }
        bytes.pointee = handle.texts.bytes(value)
        length.pointee = value.count
    }
}

@_cdecl("kinfolk_record_get_location") @implementation
public func kinfolk_record_get_location(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ index: Int,
    _ latitude: UnsafeMutablePointer<Double>?,
    _ longitude: UnsafeMutablePointer<Double>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let latitude = try output(latitude)
        let longitude = try output(longitude)
        let (_, field) = try field(record, name)
        let location = try get(field, index) { field in
            switch field {
            case .location(let value): [value]
            case .locationList(let values): values
            default: nil
            }
        }
        latitude.pointee = location.latitude
        longitude.pointee = location.longitude
    }
}
