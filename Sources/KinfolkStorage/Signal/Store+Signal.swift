extension Store {
    /// An object that wakes a thread when this store may have changed, also by other processes.
    ///
    /// It does not need the store to stay open. If others cannot be heard, ``StoreSignal/hearsOthers`` is false: the folder cannot
    /// be watched, the server cannot notify its clients or is not reachable now, or this store is open for reading only. With a
    /// server, this opens one more connection, which may take as long as in ``StoreSignal/wait(until:)``.
    ///
    /// - Throws: Only if the process has no free descriptors or has been forked, or if the store is closed.
    package func makeSignal() throws -> StoreSignal {
        try checkFork()
        try requireOpen()
        return try StoreSignal(isReadOnly ? nil : engine.listener())
    }
}
