public import CKinfolk
import Kinfolk

/// The zones of a database at one time.
final class ZoneListHandle: Handle, @unchecked Sendable {
    let names: [String]
    let texts = TextArena()

    init(_ zones: [RecordZone]) { names = zones.map(\.name) }
}

@_cdecl("kinfolk_zone_save") @implementation
public func kinfolk_zone_save(_ handle: OpaquePointer?, _ zone: UnsafePointer<CChar>?) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let database = try database(handle)
        try database.save(RecordZone(text(zone)))
    }
}

@_cdecl("kinfolk_zone_delete") @implementation
public func kinfolk_zone_delete(_ handle: OpaquePointer?, _ zone: UnsafePointer<CChar>?) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        try database(handle).deleteZone(text(zone))
    }
}

@_cdecl("kinfolk_zones") @implementation
public func kinfolk_zones(
    _ handle: OpaquePointer?,
    _ zones: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let zones = try output(zones)
        zones.pointee = try makeHandle(ZoneListHandle(database(handle).zones()))
    }
}

@_cdecl("kinfolk_zone_list_count") @implementation
public func kinfolk_zone_list_count(_ zones: OpaquePointer?) -> Int {
    peek(zones, as: ZoneListHandle.self)?.names.count ?? 0
}

@_cdecl("kinfolk_zone_list_name") @implementation
public func kinfolk_zone_list_name(_ zones: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    guard let handle = peek(zones, as: ZoneListHandle.self), handle.names.indices.contains(index) else { return nil }
    return handle.texts.text(handle.names[index])
}

@_cdecl("kinfolk_zone_list_free") @implementation
public func kinfolk_zone_list_free(_ zones: OpaquePointer?) { freeHandle(zones, as: ZoneListHandle.self) }
