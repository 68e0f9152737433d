#if !KINFOLK_BLOCKING
extension Container {
    /// As the blocking form; it waits on a thread of the service's own.
    public func statistics() async throws(KinfolkError) -> ContainerStatistics {
        try await service.async { try self.statistics() }
    }
}
#endif
