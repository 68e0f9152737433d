package import KinfolkModel

extension Session {
    /// Calls `changed` after each change, on a thread of the service, for as long as the observation lives.
    package func observeAccount(_ changed: @escaping @Sendable () -> Void) throws(KinfolkError) -> AccountObservation {
        guard let account else { throw Session.nobody }
        do {
            return try service.watcher.watch(account, in: container.number, changed: changed)
        } catch {
            throw KinfolkError(error)
        }
    }
}
