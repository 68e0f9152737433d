public import CKinfolk
import Kinfolk

@_cdecl("kinfolk_container_set_permits") @implementation
public func kinfolk_container_set_permits(
    _ handle: OpaquePointer?,
    _ capacity: UInt32,
    _ per_hour: Double,
    _ unverified_capacity: UInt32
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        try container(handle).setPermitLimit(
            PermitLimit(capacity: capacity, perHour: per_hour, unverifiedCapacity: unverified_capacity)
        )
    }
}

@_cdecl("kinfolk_container_permits_left") @implementation
public func kinfolk_container_permits_left(
    _ handle: OpaquePointer?,
    _ record_id: UnsafePointer<CChar>?,
    _ permits: UnsafeMutablePointer<UInt32>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let permits = try output(permits)
        permits.pointee = try container(handle).permitsLeft(of: UserRecordID(text(record_id)))
    }
}

@_cdecl("kinfolk_container_set_permits_left") @implementation
public func kinfolk_container_set_permits_left(
    _ handle: OpaquePointer?,
    _ record_id: UnsafePointer<CChar>?,
    _ permits: UInt32
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        try container(handle).setPermitsLeft(permits, of: UserRecordID(text(record_id)))
    }
}

@_cdecl("kinfolk_container_top_up_permits") @implementation
public func kinfolk_container_top_up_permits(
    _ handle: OpaquePointer?,
    _ record_id: UnsafePointer<CChar>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        try container(handle).topUpPermits(of: UserRecordID(text(record_id)))
    }
}

@_cdecl("kinfolk_container_set_private_work") @implementation
public func kinfolk_container_set_private_work(
    _ handle: OpaquePointer?,
    _ multiplications_per_day: UInt64,
    _ rows_per_day: UInt64
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        try container(handle).setPrivateWorkLimit(
            PrivateWorkLimit(
                multiplicationsPerDay: multiplications_per_day > 0 ? multiplications_per_day : nil,
                rowsPerDay: rows_per_day > 0 ? rows_per_day : nil
            )
        )
    }
}

@_cdecl("kinfolk_container_set_field_limit") @implementation
public func kinfolk_container_set_field_limit(_ handle: OpaquePointer?, _ fields: UInt32) -> kinfolk_status {
    attempt { () throws(KinfolkError) in try container(handle).setFieldLimit(fields) }
}

@_cdecl("kinfolk_container_permits") @implementation
public func kinfolk_container_permits(
    _ handle: OpaquePointer?,
    _ capacity: UnsafeMutablePointer<UInt32>?,
    _ per_hour: UnsafeMutablePointer<Double>?,
    _ unverified_capacity: UnsafeMutablePointer<UInt32>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let limit = try container(handle).permitLimit()
        capacity?.pointee = limit.capacity
        per_hour?.pointee = limit.perHour
        unverified_capacity?.pointee = limit.unverifiedCapacity
    }
}

@_cdecl("kinfolk_container_private_work") @implementation
public func kinfolk_container_private_work(
    _ handle: OpaquePointer?,
    _ multiplications_per_day: UnsafeMutablePointer<UInt64>?,
    _ rows_per_day: UnsafeMutablePointer<UInt64>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let limit = try container(handle).privateWorkLimit()
        multiplications_per_day?.pointee = limit.multiplicationsPerDay ?? 0
        rows_per_day?.pointee = limit.rowsPerDay ?? 0
    }
}

@_cdecl("kinfolk_container_field_limit") @implementation
public func kinfolk_container_field_limit(
    _ handle: OpaquePointer?,
    _ fields: UnsafeMutablePointer<UInt32>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let fields = try output(fields)
        fields.pointee = try container(handle).fieldLimit()
    }
}
