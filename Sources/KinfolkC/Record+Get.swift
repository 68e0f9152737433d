public import CKinfolk
import Kinfolk

// One function for each type of value, because C has no overloads.

/// Gets the value of a field. `content` extracts the content of one type, and returns nil for the other types.
private func get<Content>(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ content: UnsafeMutablePointer<Content>?,
    of value: (FieldValue, TextArena) throws(KinfolkError) -> Content?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let content = try output(content)
        let (handle, field) = try field(record, name)
        guard let found = try value(field, handle.texts) else { throw KinfolkError.otherType }
        content.pointee = found
    }
}

@_cdecl("kinfolk_record_get_value") @implementation
public func kinfolk_record_get_value(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ value: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    get(record, name, value) { field, _ in makeHandle(ValueHandle(field)) }
}

@_cdecl("kinfolk_record_get_string") @implementation
public func kinfolk_record_get_string(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ text: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> kinfolk_status {
    get(record, name, text) { field, texts throws(KinfolkError) in
        guard case .string(let text) = field else { return nil }
        guard !text.utf8.contains(0) else { throw KinfolkError.innerNUL }
        return texts.text(text)
    }
}

@_cdecl("kinfolk_record_get_int64") @implementation
public func kinfolk_record_get_int64(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ number: UnsafeMutablePointer<Int64>?
) -> kinfolk_status {
    get(record, name, number) { field, _ in if case .int64(let number) = field { number } else { nil } }
}

@_cdecl("kinfolk_record_get_double") @implementation
public func kinfolk_record_get_double(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ number: UnsafeMutablePointer<Double>?
) -> kinfolk_status {
    get(record, name, number) { field, _ in if case .double(let number) = field { number } else { nil } }
}

@_cdecl("kinfolk_record_get_boolean") @implementation
public func kinfolk_record_get_boolean(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ boolean: UnsafeMutablePointer<Bool>?
) -> kinfolk_status {
    get(record, name, boolean) { field, _ in if case .boolean(let boolean) = field { boolean } else { nil } }
}

@_cdecl("kinfolk_record_get_bytes") @implementation
public func kinfolk_record_get_bytes(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ bytes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ length: UnsafeMutablePointer<Int>?
) -> kinfolk_status {
    get(record, name, bytes) { field, texts throws(KinfolkError) in
        let length = try output(length)
        guard case .bytes(let bytes) = field else { return nil }
        length.pointee = bytes.count
        return texts.bytes(bytes)
    }
}

@_cdecl("kinfolk_record_get_date") @implementation
public func kinfolk_record_get_date(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ microseconds: UnsafeMutablePointer<Int64>?
) -> kinfolk_status {
    get(record, name, microseconds) { field, _ in if case .date(let date) = field { date.microseconds } else { nil } }
}

@_cdecl("kinfolk_record_get_location") @implementation
public func kinfolk_record_get_location(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ latitude: UnsafeMutablePointer<Double>?,
    _ longitude: UnsafeMutablePointer<Double>?
) -> kinfolk_status {
    get(record, name, latitude) { field, _ throws(KinfolkError) in
        let longitude = try output(longitude)
        guard case .location(let place) = field else { return nil }
        longitude.pointee = place.longitude
        return place.latitude
    }
}

@_cdecl("kinfolk_record_get_reference") @implementation
public func kinfolk_record_get_reference(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ target: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
    _ zone: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
    _ action: UnsafeMutablePointer<kinfolk_reference_action>?
) -> kinfolk_status {
    get(record, name, target) { field, texts in
        guard case .reference(let reference) = field else { return nil }
        zone?.pointee = texts.text(reference.target.zone)
        action?.pointee = kinfolk_reference_action(UInt32(bitPattern: reference.action.rawValue))
        return texts.text(reference.target.name)
    }
}
