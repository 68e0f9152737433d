package import KinfolkThreads

/// State that a service keeps in memory for a component. See ``Service/part(_:)``.
package protocol ServicePart: AnyObject, Sendable {
    /// Writes to the store what is only in memory. Called when the service closes, and when the process exits.
    ///
    /// - Parameter deadline: How long to wait for other writers; nil for the store's own limit.
    func writePending(of service: Service, until deadline: Deadline?)

    /// Ends the part's threads, and returns when they hold nothing of the service. Called when the service closes, before
    /// ``writePending(of:until:)``: the store refuses the transactions of other threads by then.
    ///
    /// If the host calls this in one of its functions (``Thread/isInCallback``), threads that run such a function are not waited for.
    func stop()

    /// Returns when no function of the host runs. Called after ``stop()``, when the store is closed.
    func awaitFunctions()
}

extension ServicePart {
    package func awaitFunctions() {}
    package func writePending(of service: Service, until deadline: Deadline?) {}
    package func stop() {}
}
