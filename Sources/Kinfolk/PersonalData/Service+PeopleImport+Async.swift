#if !KINFOLK_BLOCKING
import KinfolkAccounts
import KinfolkCore
import KinfolkModel
extension Service {
    /// Like the blocking form, but waits on a thread of the service, which also calls `progress`.
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
