import Kinfolk

extension KinfolkError {
    /// The same, and what to do about it.
    func advising(_ advice: String) -> KinfolkError {
        KinfolkError(code, "\(reason) \(advice)", retryAfter: retryAfter, serverRecord: serverRecord)
    }
}

extension Service {
    /// The container with this name. Who misspelled it is told where the names are.
    func existingContainer(_ name: String) throws(KinfolkError) -> Container {
        do { return try container(name) } catch {
            guard error.code == .unknownItem else { throw error }
            throw error.advising(
                "\"kinfolk container list\" shows those there are, \"kinfolk container create \(name)\" makes it."
            )
        }
    }
}
