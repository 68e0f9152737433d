package import KinfolkModel

extension Session {
    /// Calls `changed` after each change, on a thread of the service, for as long as the observation lives.
    ///
    /// - Parameter ended: Called when the service closes.
    package func observeAccount(
        _ changed: @escaping @Sendable () -> Void,
        ended: @escaping @Sendable () -> Void = {}
    ) throws(KinfolkError) -> AccountObservation {
        guard let account else { throw Session.nobody }
        do {
            let key = try service.watcher.watch(account, in: container.number, changed: changed, ended: ended)
            return AccountObservation(service, key: key)
        } catch {
            throw KinfolkError(error)
        }
    }
}
