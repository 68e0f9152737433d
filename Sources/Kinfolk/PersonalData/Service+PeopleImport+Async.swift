#if !KINFOLK_BLOCKING
extension Service {
    /// As the blocking form; it waits on a thread of the service's own, where it tells `progress`.
    public func importPeople(
        fromFile path: String,
        into container: Container,
        wording: ConsentWording? = nil,
        progress: @escaping @Sendable (PeopleImport.Progress) throws(KinfolkError) -> Void = { _ in }
    ) async throws(KinfolkError) -> PeopleImport {
        try await self.async { cancellation in
            try self.importPeople(fromFile: path, into: container, wording: wording) { done throws(KinfolkError) in
                try cancellation.check()
                try progress(done)
            }
        }
    }
}
#endif
