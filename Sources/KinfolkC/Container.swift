public import CKinfolk
import Kinfolk

/// A container, and the text of its name.
final class ContainerHandle: Handle, @unchecked Sendable {
    let container: Container
    let texts = TextArena()

    init(_ container: Container) { self.container = container }
}

func container(_ handle: OpaquePointer?) throws(KinfolkError) -> Container {
    try object(handle, as: ContainerHandle.self).container
}

@_cdecl("kinfolk_container_create") @implementation
public func kinfolk_container_create(
    _ service: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ container: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let container = try output(container)
        let service = try object(service, as: ServiceHandle.self).service
        container.pointee = try makeHandle(ContainerHandle(service.createContainer(text(name))))
    }
}

@_cdecl("kinfolk_container_open") @implementation
public func kinfolk_container_open(
    _ service: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ container: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let container = try output(container)
        let service = try object(service, as: ServiceHandle.self).service
        container.pointee = try makeHandle(ContainerHandle(service.container(text(name))))
    }
}

@_cdecl("kinfolk_container_open_environment") @implementation
public func kinfolk_container_open_environment(
    _ service: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ environment: kinfolk_environment,
    _ container: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let container = try output(container)
        guard let environment = ContainerEnvironment(rawValue: Int64(environment.rawValue)) else {
            throw KinfolkError(.invalidArgument, "The environment must be production or development.")
        }
        let service = try object(service, as: ServiceHandle.self).service
        container.pointee = try makeHandle(ContainerHandle(service.container(text(name), environment: environment)))
    }
}

@_cdecl("kinfolk_container_environment") @implementation
public func kinfolk_container_environment(_ handle: OpaquePointer?) -> kinfolk_environment {
    let environment = peek(handle, as: ContainerHandle.self)?.container.environment ?? .production
    return kinfolk_environment(UInt32(truncatingIfNeeded: environment.rawValue))
}

@_cdecl("kinfolk_container_open_or_create") @implementation
public func kinfolk_container_open_or_create(
    _ service: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ container: UnsafeMutablePointer<OpaquePointer?>?,
    _ is_new: UnsafeMutablePointer<Bool>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let container = try output(container)
        let service = try object(service, as: ServiceHandle.self).service
        let found = try service.openOrCreateContainer(text(name))
        container.pointee = makeHandle(ContainerHandle(found.container))
        is_new?.pointee = found.isNew
    }
}

@_cdecl("kinfolk_container_name") @implementation
public func kinfolk_container_name(_ handle: OpaquePointer?) -> UnsafePointer<CChar>? {
    guard let handle = peek(handle, as: ContainerHandle.self) else { return nil }
    return handle.texts.text(handle.container.name)
}

@_cdecl("kinfolk_container_free") @implementation
public func kinfolk_container_free(_ container: OpaquePointer?) {
    freeHandle(container, as: ContainerHandle.self)
}
