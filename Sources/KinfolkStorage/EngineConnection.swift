import KinfolkThreads

/// A connection to a database, used by one thread at a time.
protocol EngineConnection: AnyObject {
    /// Closes it now, whoever may still hold this object for a moment. It is not used after that.
    func close()

    /// In which history of the database it is. A standby that takes over without all that was committed begins another one.
    var history: String { get }
    /// Whether it still leads anywhere. Asked before and after each use.
    var isUsable: Bool { get }

    func prepare(_ sql: String) throws -> any Statement

    /// Where an answer takes long to come, runs `body`, whose queries are only asked, all with whatever is asked next. No rows
    /// come in it. Who makes them again before the transaction writes is answered from that.
    func askAhead(_ body: () throws -> Void) throws

    /// Runs SQL that takes no values and returns no rows.
    func run(_ sql: String, until deadline: Deadline) throws

    // MARK: Transactions

    /// Begins a transaction of `connection`, which waits for others until `deadline`. One for reading sees the store as it is
    /// now. Those for writing are as if one came after the other.
    ///
    /// One for reading has `connection` forget its notes, unless nobody has changed anything since the last one began here.
    func begin(_ purpose: Connection.Purpose, of connection: Connection, until deadline: Deadline) throws
    /// Finds out what the beginning left open.
    func settle() throws
    func commit(_ connection: Connection) throws
    func rollBack(_ connection: Connection)

    /// Begins a part of a transaction that can be undone by itself. Where that costs much, undoing may instead throw an error
    /// that is passing: the transaction is then done anew, alone, and its parts can be undone.
    func beginPart(of connection: Connection) throws
    func endPart(of connection: Connection) throws
    func undoPart(of connection: Connection) throws

    /// Whether a transaction is under way, and the engine has not ended it by itself.
    var isInTransaction: Bool { get }

    // MARK: The schema

    /// Whose the database is and which version of its schema it has; both 0 if nobody has noted it.
    func schema(_ connection: Connection) throws -> (application: Int64, version: Int64, isEmpty: Bool)
    func note(application: Int32, version: Int, until deadline: Deadline) throws
    /// Brings a database that is ours into the form in which it is used.
    func adopt(until deadline: Deadline) throws

    // MARK: What not every engine has

    /// Keeps about so many bytes of the database in memory.
    func setCacheSize(_ size: Int, until deadline: Deadline) throws
    /// Copies the log into the database and empties it. False while a reader or a writer holds it.
    func truncateLog() -> Bool
    /// Whether what it read last may have changed while it was read. Nothing that it read then counts.
    var isOutdated: Bool { get }
    /// How many faults the engine's own check of the whole database finds, at most `limit`.
    func countFaults(limit: Int, of connection: Connection) throws -> Int
    /// Copies the log into the database and works without one from now on, so that at rest the database is one file that says so.
    /// Nobody else has it open.
    func leaveLog(until deadline: Deadline) throws
    /// Frees what room it can on a disk that is full. False if there is none to free.
    func makeRoom() -> Bool
    /// Copies the database, as this connection's transaction sees it, into an empty file. Others read and write meanwhile.
    func copy(to path: FilePath, progress: (_ done: Int, _ total: Int) throws -> Void) throws
}
