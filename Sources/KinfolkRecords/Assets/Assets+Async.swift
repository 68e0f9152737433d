#if !KINFOLK_BLOCKING
public import KinfolkAccounts
import KinfolkCore
public import KinfolkModel

/// The blocking calls on assets, for async callers: each waits on a thread of the service. The blocking form documents behaviour,
/// parameters and errors.
extension Database {
    /// Like the blocking form, but waits on a thread of the service, which also calls `progress`.
    public func upload(
        file path: String,
        zone: String = RecordID.defaultZone,
        progress: @escaping @Sendable (_ done: Int, _ total: Int) throws(KinfolkError) -> Void = { _, _ in }
    ) async throws(KinfolkError) -> Asset {
        try await service.async { cancellation in
            try self.upload(file: path, zone: zone) { done, total throws(KinfolkError) in
                try cancellation.check()
                try progress(done, total)
            }
        }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func upload(_ bytes: [UInt8], zone: String = RecordID.defaultZone) async throws(KinfolkError) -> Asset {
        try await service.async { try self.upload(bytes, zone: zone) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func reader(of asset: Asset) async throws(KinfolkError) -> AssetReader {
        try await service.async { try self.reader(of: asset) }
    }

    /// Like the blocking form, but waits on a thread of the service, which also calls `progress`.
    public func save(
        _ asset: Asset,
        to path: String,
        progress: @escaping @Sendable (_ done: Int, _ total: Int) throws(KinfolkError) -> Void = { _, _ in }
    ) async throws(KinfolkError) {
        try await service.async { cancellation in
            try self.save(asset, to: path) { done, total throws(KinfolkError) in
                try cancellation.check()
                try progress(done, total)
            }
        }
    }
}

extension AssetUpload {
    /// Like the blocking form, but waits on a thread of the service.
    public func write(_ bytes: [UInt8]) async throws(KinfolkError) {
        try await service.async { try self.write(bytes) }
    }

    /// Like the blocking form, but waits on a thread of the service, which also calls `progress`.
    public func add(
        file path: String,
        progress: @escaping @Sendable (_ done: Int, _ total: Int) throws(KinfolkError) -> Void = { _, _ in }
    ) async throws(KinfolkError) {
        try await service.async { cancellation in
            try self.add(file: path) { done, total throws(KinfolkError) in
                try cancellation.check()
                try progress(done, total)
            }
        }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func finish() async throws(KinfolkError) -> Asset {
        try await service.async { try self.finish() }
    }
}

extension AssetReader {
    /// Like the blocking form, but waits on a thread of the service.
    public func read(at offset: Int, count: Int) async throws(KinfolkError) -> [UInt8] {
        try await service.async { try self.read(at: offset, count: count) }
    }
}

/// The blocking calls on quotas, for async callers.
extension Container {
    /// Like the blocking form, but waits on a thread of the service.
    public func quota(_ quota: Quota) async throws(KinfolkError) -> Int? {
        try await service.async { try self.quota(quota) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func setQuota(_ quota: Quota, to bytes: Int?) async throws(KinfolkError) {
        try await service.async { try self.setQuota(quota, to: bytes) }
    }
}

extension Session {
    /// Like the blocking form, but waits on a thread of the service.
    public func storageUse() async throws(KinfolkError) -> StorageUse {
        try await service.async { try self.storageUse() }
    }
}
#endif
