import KinfolkThreads

/// A kind of database, and where one of it is: what a ``Store`` gets its connections from.
protocol Engine: Sendable {
    /// How many connections a store keeps for reading, at most.
    var readerLimit: Int { get }

    /// Makes an empty database, unless there is one.
    func make(until deadline: Deadline) throws

    func connect(for purpose: Connection.Purpose, until deadline: Deadline) throws -> any EngineConnection

    /// What became of a transaction whose end was lost with `connection`.
    func outcome(of connection: any EngineConnection, until deadline: Deadline) -> Outcome

    /// What is behind a failure to open the database.
    func explain(_ failure: StorageError) -> StorageError
}
