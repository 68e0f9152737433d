import KinfolkThreads

/// A kind of database and its location: a ``Store`` gets its connections from it.
protocol Engine: Sendable {
    /// The maximum number of connections that a store keeps for reading.
    var readerLimit: Int { get }

    /// Creates an empty database, unless there is one.
    func make(until deadline: Deadline) throws

    func connect(for purpose: Connection.Purpose, until deadline: Deadline) throws -> any EngineConnection

    /// The outcome of a transaction whose commit was interrupted by the loss of `connection`.
    func outcome(of connection: any EngineConnection, until deadline: Deadline) -> Outcome

    /// What hears the changes of other processes, not started yet. Called if the store may be changed.
    func listener() -> any ChangeListener

    /// Finds the cause of a failure to open the database.
    func explain(_ failure: StorageError) -> StorageError
}
