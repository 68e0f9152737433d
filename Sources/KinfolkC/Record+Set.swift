public import CKinfolk
import Kinfolk
import KinfolkThreads

// One function for each type of value, because C has no overloads.

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
        try handle.record.withLock { record throws(KinfolkError) in
            try record.set(name, to: value.placed(in: record.id.zone))
        }
    }
}

@_cdecl("kinfolk_record_set_value") @implementation
public func kinfolk_record_set_value(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ value: OpaquePointer?
) -> kinfolk_status {
    set(record, name) { () throws(KinfolkError) in try KinfolkC.value(value) }
}

@_cdecl("kinfolk_record_set_string") @implementation
public func kinfolk_record_set_string(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ text: UnsafePointer<CChar>?
) -> kinfolk_status {
    set(record, name) { () throws(KinfolkError) in try .string(KinfolkC.text(text)) }
}

@_cdecl("kinfolk_record_set_int64") @implementation
public func kinfolk_record_set_int64(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ number: Int64
) -> kinfolk_status {
    set(record, name) { .int64(number) }
}

@_cdecl("kinfolk_record_set_double") @implementation
public func kinfolk_record_set_double(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ number: Double
) -> kinfolk_status {
    set(record, name) { .double(number) }
}

@_cdecl("kinfolk_record_set_boolean") @implementation
public func kinfolk_record_set_boolean(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ boolean: Bool
) -> kinfolk_status {
    set(record, name) { .boolean(boolean) }
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
    set(record, name) { .date(Timestamp(microseconds: microseconds)) }
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
    _ target: UnsafePointer<CChar>?,
    _ zone: UnsafePointer<CChar>?,
    _ action: kinfolk_reference_action
) -> kinfolk_status {
    set(record, name) { () throws(KinfolkError) in try .reference(reference(target, zone, action)) }
}

@_cdecl("kinfolk_record_set_asset") @implementation
public func kinfolk_record_set_asset(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ asset: OpaquePointer?
) -> kinfolk_status {
    set(record, name) { () throws(KinfolkError) in try .asset(KinfolkC.asset(asset)) }
}

@_cdecl("kinfolk_record_set_parent") @implementation
public func kinfolk_record_set_parent(_ record: OpaquePointer?, _ parent: UnsafePointer<CChar>?) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let handle = try object(record, as: RecordHandle.self)
        let parent = parent == nil ? nil : try reference(parent, nil, KINFOLK_REFERENCE_NONE)
        try handle.record.withLock { record throws(KinfolkError) in
            try record.setParent(parent?.placed(in: record.id.zone).target)
        }
    }
}
