public import CKinfolk
import Kinfolk

private func quota(_ quota: kinfolk_quota) throws(KinfolkError) -> Quota {
    guard let quota = Quota(rawValue: Int32(truncatingIfNeeded: quota.rawValue)) else {
        throw KinfolkError(.invalidArgument, "The quota is unknown.")
    }
    return quota
}

@_cdecl("kinfolk_container_quota") @implementation
public func kinfolk_container_quota(
    _ handle: OpaquePointer?,
    _ quota: kinfolk_quota,
    _ bytes: UnsafeMutablePointer<UInt64>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let bytes = try output(bytes)
        bytes.pointee = try limit(container(handle).quota(KinfolkC.quota(quota)))
    }
}

@_cdecl("kinfolk_container_set_quota") @implementation
public func kinfolk_container_set_quota(
    _ handle: OpaquePointer?,
    _ quota: kinfolk_quota,
    _ bytes: UInt64
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let container = try container(handle)
        let quota = try KinfolkC.quota(quota)
        guard bytes != .max else { return try container.setQuota(quota, to: nil) }
        guard let bytes = Int(exactly: bytes) else {
            throw KinfolkError(.invalidArgument, "A quota has at most \(Int.max) bytes.")
        }
        try container.setQuota(quota, to: bytes)
    }
}

@_cdecl("kinfolk_session_storage_use") @implementation
public func kinfolk_session_storage_use(
    _ handle: OpaquePointer?,
    _ private_bytes: UnsafeMutablePointer<UInt64>?,
    _ private_quota: UnsafeMutablePointer<UInt64>?,
    _ public_bytes: UnsafeMutablePointer<UInt64>?,
    _ public_quota: UnsafeMutablePointer<UInt64>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let use = try session(handle).storageUse()
        private_bytes?.pointee = UInt64(clamping: use.privateBytes)
        private_quota?.pointee = limit(use.privateQuota)
        public_bytes?.pointee = UInt64(clamping: use.publicBytes)
        public_quota?.pointee = limit(use.publicQuota)
    }
}

/// A quota in the form of the C API: `KINFOLK_NO_QUOTA` if nothing is limited.
private func limit(_ bytes: Int?) -> UInt64 { bytes.map { UInt64(clamping: $0) } ?? .max }
