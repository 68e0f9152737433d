import Kinfolk

extension KinfolkError {
    /// The same error, with advice added to its reason.
    func advising(_ advice: String) -> KinfolkError {
        KinfolkError(code, "\(reason) \(advice)", retryAfter: retryAfter, serverRecord: serverRecord)
    }
}

extension Service {
    /// The container with this name. If it does not exist, the error says which command lists the names.
    func existingContainer(_ name: String) throws(KinfolkError) -> Container {
        do { return try container(name) } catch {
            guard error.code == .unknownItem else { throw error }
            throw error.advising(
                "\"kinfolk container list\" shows the containers, \"kinfolk container create \(name)\" makes it."
            )
        }
    }
}
