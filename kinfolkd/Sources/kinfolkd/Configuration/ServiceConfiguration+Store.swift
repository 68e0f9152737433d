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
                requiresLockedMemory: requiresLockedMemory
            )
        } catch {
            let status = error.code == .serviceUnavailable ? ExitStatus.unavailable : ExitStatus.configuration
            throw Failure(status, "The store cannot be opened: \(error.reason)")
        }
    }
}
