public import CKinfolk
import Kinfolk

/// The index builds of a container at one time.
final class IndexBuildsHandle: Handle, @unchecked Sendable {
    let builds: [IndexBuild]
    let texts = TextArena()

    init(_ builds: [IndexBuild]) { self.builds = builds }
}

@_cdecl("kinfolk_schema_build_indexes") @implementation
public func kinfolk_schema_build_indexes(
    _ handle: OpaquePointer?,
    _ progress: kinfolk_progress_fn?,
    _ context: UnsafeMutableRawPointer?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        try container(handle).buildIndexes { (build) throws(KinfolkError) in
            try tell(progress, build.done, of: build.total, context)
        }
    }
}

@_cdecl("kinfolk_schema_index_builds") @implementation
public func kinfolk_schema_index_builds(
    _ handle: OpaquePointer?,
    _ builds: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let builds = try output(builds)
        builds.pointee = try makeHandle(IndexBuildsHandle(container(handle).indexBuilds()))
    }
}

/// The build at an index; nil past the end.
private func build(_ handle: OpaquePointer?, _ index: Int) -> IndexBuild? {
    guard let builds = peek(handle, as: IndexBuildsHandle.self)?.builds, builds.indices.contains(index) else {
        return nil
    }
    return builds[index]
}

@_cdecl("kinfolk_index_builds_count") @implementation
public func kinfolk_index_builds_count(_ builds: OpaquePointer?) -> Int {
    peek(builds, as: IndexBuildsHandle.self)?.builds.count ?? 0
}

@_cdecl("kinfolk_index_builds_record_type") @implementation
public func kinfolk_index_builds_record_type(_ builds: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    build(builds, index).flatMap { peek(builds, as: IndexBuildsHandle.self)?.texts.text($0.recordType) }
}

@_cdecl("kinfolk_index_builds_done") @implementation
public func kinfolk_index_builds_done(_ builds: OpaquePointer?, _ index: Int) -> UInt64 {
    UInt64(clamping: build(builds, index)?.done ?? 0)
}

@_cdecl("kinfolk_index_builds_total") @implementation
public func kinfolk_index_builds_total(_ builds: OpaquePointer?, _ index: Int) -> UInt64 {
    UInt64(clamping: build(builds, index)?.total ?? 0)
}

@_cdecl("kinfolk_index_builds_free") @implementation
public func kinfolk_index_builds_free(_ builds: OpaquePointer?) { freeHandle(builds, as: IndexBuildsHandle.self) }
