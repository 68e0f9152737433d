#if !KINFOLK_BLOCKING
extension Service {
    /// The call that blocks, for async callers: it waits on a thread of Kinfolk's own.
    ///
    /// - Parameter progress: Told on that thread.
    public func importPeople(
        fromFile path: String,
        into container: Container,
        wording: ConsentWording? = nil,
        progress: @escaping @Sendable (PeopleImport.Progress) -> Void = { _ in }
    ) async throws(KinfolkError) -> PeopleImport {
        try await self.async {
            try self.importPeople(fromFile: path, into: container, wording: wording, progress: progress)
        }
    }
}
#endif
