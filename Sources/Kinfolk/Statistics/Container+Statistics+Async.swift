#if !KINFOLK_BLOCKING
import KinfolkAccounts
import KinfolkModel
extension Container {
    /// Like the blocking form, but waits on a thread of the service.
    public func statistics() async throws(KinfolkError) -> ContainerStatistics {
        try await service.async { try self.statistics() }
    }
}
#endif
