public import CKinfolk
import Kinfolk

/// The names of all containers at one time.
final class ContainersHandle: Handle, @unchecked Sendable {
    let names: [String]
    let texts = TextArena()

    init(_ names: [String]) { self.names = names }
}

@_cdecl("kinfolk_service_containers") @implementation
public func kinfolk_service_containers(
    _ service: OpaquePointer?,
    _ containers: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let containers = try output(containers)
        let service = try object(service, as: ServiceHandle.self).service
        containers.pointee = makeHandle(ContainersHandle(try service.containers().map(\.name)))
    }
}

@_cdecl("kinfolk_containers_count") @implementation
public func kinfolk_containers_count(_ containers: OpaquePointer?) -> Int {
    peek(containers, as: ContainersHandle.self)?.names.count ?? 0
}

@_cdecl("kinfolk_containers_name") @implementation
public func kinfolk_containers_name(_ containers: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    guard let handle = peek(containers, as: ContainersHandle.self), handle.names.indices.contains(index) else {
        return nil
    }
    return handle.texts.text(handle.names[index])
}

@_cdecl("kinfolk_containers_free") @implementation
public func kinfolk_containers_free(_ containers: OpaquePointer?) { freeHandle(containers, as: ContainersHandle.self) }

@_cdecl("kinfolk_container_delete") @implementation
public func kinfolk_container_delete(
    _ service: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ progress: kinfolk_progress_fn?,
    _ context: UnsafeMutableRawPointer?,
    _ people: UnsafeMutablePointer<Int>?,
    _ is_pending: UnsafeMutablePointer<Bool>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let service = try object(service, as: ServiceHandle.self).service
        let deletion = try service.deleteContainer(text(name)) { done throws(KinfolkError) in
            try tell(progress, done.people, of: done.total, context)
        }
        people?.pointee = deletion.people
        is_pending?.pointee = deletion.isPending
    }
}
