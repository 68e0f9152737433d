#if !KINFOLK_BLOCKING
public import KinfolkAccounts
public import KinfolkContacts
public import KinfolkCore
public import KinfolkModel
/// The blocking calls of private discovery, for async callers: each waits on a thread of the service. The blocking form
/// documents behaviour, parameters and errors.
extension Session {
    /// Like the blocking form, but waits on a thread of the service.
    public func answer(_ request: [UInt8], threads: Int = 1) async throws(KinfolkError) -> [UInt8] {
        try await service.async { try self.answer(request, threads: threads) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func discoverPrivately(
        _ book: ContactBook,
        state: [UInt8] = [],
        threads: Int = 0
    ) async throws(KinfolkError) -> Discovery {
        try await service.async { try self.discoverPrivately(book, state: state, threads: threads) }
    }
}

/// The blocking calls on a container's directories, for async callers: each waits on a thread of the service. The blocking form
/// documents behaviour, parameters and errors.
extension Container {
    /// Like the blocking form, but waits on a thread of the service.
    public func directoryModes() async throws(KinfolkError) -> DirectoryModes {
        try await service.async { try self.directoryModes() }
    }

    /// Like the blocking form, but waits on a thread of the service, which also calls `progress`.
    public func setDirectoryModes(
        _ modes: DirectoryModes,
        progress: @escaping @Sendable (DirectoryBuild.Progress) throws(KinfolkError) -> Void = { _ in }
    ) async throws(KinfolkError) {
        try await service.async { cancellation in
            try self.setDirectoryModes(modes) { done throws(KinfolkError) in
                try cancellation.check()
                try progress(done)
            }
        }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func privateEpochs() async throws(KinfolkError) -> [PrivateEpoch] {
        try await service.async { try self.privateEpochs() }
    }

    /// Like the blocking form, but waits on a thread of the service, which also calls `progress`.
    public func renewPrivateKey(
        progress: @escaping @Sendable (DirectoryBuild.Progress) throws(KinfolkError) -> Void = { _ in }
    ) async throws(KinfolkError) -> PrivateEpoch {
        try await service.async { cancellation in
            try self.renewPrivateKey { done throws(KinfolkError) in
                try cancellation.check()
                try progress(done)
            }
        }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func announceNextPrivateKey() async throws(KinfolkError) -> PrivateEpoch {
        try await service.async { try self.announceNextPrivateKey() }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func endPrivateEpochs(before number: UInt32) async throws(KinfolkError) {
        try await service.async { try self.endPrivateEpochs(before: number) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func setPrefixBits(_ bits: Int?) async throws(KinfolkError) {
        try await service.async { try self.setPrefixBits(bits) }
    }
}

extension Service {
    /// Like the blocking form, but waits on a thread of the service.
    public func bucketPublicKey() async throws(KinfolkError) -> [UInt8] {
        try await async { try self.bucketPublicKey() }
    }
}
#endif
