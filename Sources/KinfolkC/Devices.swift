public import CKinfolk
import Kinfolk

/// The devices of a user at one time, and the texts that C has borrowed from them.
final class DevicesHandle: Handle, @unchecked Sendable {
    let devices: [Device]
    let texts = TextArena()

    init(_ devices: [Device]) { self.devices = devices }
}

/// The device at an index; nil past the end.
private func device(_ handle: OpaquePointer?, _ index: Int) -> Device? {
    guard let devices = peek(handle, as: DevicesHandle.self)?.devices, devices.indices.contains(index) else {
        return nil
    }
    return devices[index]
}

@_cdecl("kinfolk_session_open_on_device") @implementation
public func kinfolk_session_open_on_device(
    _ container: OpaquePointer?,
    _ account: OpaquePointer?,
    _ device: UnsafePointer<CChar>?,
    _ session: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let session = try output(session)
        let container = try object(container, as: ContainerHandle.self).container
        let account = try object(account, as: AccountHandle.self).account
        let opened = try container.session(for: account, device: text(device))
        session.pointee = makeHandle(SessionHandle(opened))
    }
}

@_cdecl("kinfolk_session_devices") @implementation
public func kinfolk_session_devices(
    _ handle: OpaquePointer?,
    _ devices: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let devices = try output(devices)
        devices.pointee = try makeHandle(DevicesHandle(session(handle).devices()))
    }
}

@_cdecl("kinfolk_session_remove_device") @implementation
public func kinfolk_session_remove_device(
    _ handle: OpaquePointer?,
    _ device: UnsafePointer<CChar>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in try session(handle).removeDevice(named: text(device)) }
}

@_cdecl("kinfolk_devices_count") @implementation
public func kinfolk_devices_count(_ devices: OpaquePointer?) -> Int {
    peek(devices, as: DevicesHandle.self)?.devices.count ?? 0
}

@_cdecl("kinfolk_devices_name") @implementation
public func kinfolk_devices_name(_ devices: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    device(devices, index)?.name.flatMap { peek(devices, as: DevicesHandle.self)?.texts.text($0) }
}

@_cdecl("kinfolk_devices_is_current") @implementation
public func kinfolk_devices_is_current(_ devices: OpaquePointer?, _ index: Int) -> Bool {
    device(devices, index)?.isCurrent ?? false
}

@_cdecl("kinfolk_devices_free") @implementation
public func kinfolk_devices_free(_ devices: OpaquePointer?) { freeHandle(devices, as: DevicesHandle.self) }
