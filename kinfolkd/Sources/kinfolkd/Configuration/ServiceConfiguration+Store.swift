import Kinfolk

extension ServiceConfiguration {
    /// Opens the store, which must exist.
    @discardableResult
    func openStore(readOnly: Bool = false) throws(Failure) -> Service {
        do throws(KinfolkError) {
            return try Service.open(
                store,
                key: keyFile.map { .file($0) } ?? .besideStore,
                existingOnly: true,
                readOnly: readOnly,
                wait: ServiceConfiguration.wait,
                requiresLockedMemory: requiresLockedMemory
            )
        } catch {
            let status = error.code == .serviceUnavailable ? ExitStatus.unavailable : ExitStatus.configuration
            // The address of a server may hold a password.
            let isServer = store.hasPrefix("postgresql://") || store.hasPrefix("postgres://")
            let name = isServer ? "The store" : "The store \(store)"
            let advice = error.code == .unknownItem ? " \"kinfolk init\" makes one." : ""
            throw Failure(status, "\(name) cannot be opened: \(error.reason)\(advice)")
        }
    }

    /// How many seconds a request waits for a store that is locked or away.
    private static let wait = 5.0
}
