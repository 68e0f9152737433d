import KinfolkFiles
import KinfolkThreads

/// A connection to a database, used by one thread at a time.
protocol EngineConnection: AnyObject {
    /// Closes the connection now, even if another thread still holds a reference to this object. The object is not used after
    /// that.
    func close()

    /// The history of the database to which it is connected. A new history begins when a standby takes over without everything
    /// that was committed.
    var history: String { get }
    /// Whether the connection still works. Checked before and after each use.
    var isUsable: Bool { get }

    /// How often it has waited for an answer of a server; 0 if there is none.
    var roundTripCount: Int { get }

    func prepare(_ sql: String) throws -> any Statement

    /// Prefetches the queries that `body` makes, if the engine has round trips: they are sent together with the next request.
    /// `body` sees no rows. Until the transaction's first write, the same queries are then answered from the prefetched results.
    func askAhead(_ body: () throws -> Void) throws

    /// Runs SQL that takes no values and returns no rows.
    func run(_ sql: String, until deadline: Deadline) throws

    // MARK: Transactions

    /// Begins a transaction of `connection`, which waits for others until `deadline`. A read transaction sees a snapshot of the
    /// store. Write transactions are serializable.
    ///
    /// A read transaction discards the notes of `connection`, unless nothing has changed since the last read transaction of this
    /// connection.
    func begin(_ purpose: Connection.Purpose, of connection: Connection, until deadline: Deadline) throws
    /// Finishes what the beginning of the transaction deferred.
    func settle() throws
    func commit(_ connection: Connection) throws
    func rollBack(_ connection: Connection)

    /// Lets the commit of this write transaction be heard by others, if each commit is not heard anyway.
    func signal() throws

    /// Begins a part of a transaction that can be rolled back separately. If that is expensive, the engine may instead throw a
    /// transient error when the part is to be rolled back. The transaction is then retried alone, where parts can be rolled back.
    func beginPart(of connection: Connection) throws
    func endPart(of connection: Connection) throws
    func undoPart(of connection: Connection) throws

    /// Whether a transaction is open, and the engine has not ended it by itself.
    var isInTransaction: Bool { get }

    // MARK: The schema

    /// Which application the database belongs to, and which schema version it has; both 0 if neither has been stored.
    func schema(_ connection: Connection) throws -> (application: Int64, version: Int64, isEmpty: Bool)
    func note(application: Int32, version: Int, until deadline: Deadline) throws
    /// From now until `adopt(until:)`, closing the connection changes nothing in the database's files: it may turn out to belong
    /// to another program, or to a newer version of this one.
    func leaveFilesAsTheyAre()
    /// Brings one of our databases into the form in which it is used.
    func adopt(until deadline: Deadline) throws

    // MARK: Not supported by every engine

    /// Sets roughly how many bytes of the database are cached in memory.
    func setCacheSize(_ size: Int, until deadline: Deadline) throws
    /// Copies the log into the database and empties it. False while a reader or a writer uses it.
    func truncateLog() -> Bool
    /// Whether the data it read last may have changed during the read. If so, the data must not be used.
    var isOutdated: Bool { get }
    /// Whether each column contains only values of its declared type.
    var enforcesTypes: Bool { get }
    /// The number of faults found by the engine's own check of the whole database, at most `limit`.
    func countFaults(limit: Int, of connection: Connection) throws -> Int
    /// Copies the log into the database and stops using a log, so that the closed database is one file whose header forbids a
    /// log. Nobody else may have it open.
    func leaveLog(until deadline: Deadline) throws
    /// Frees space on a full disk, if possible. False if there is none to free.
    func makeRoom() -> Bool
    /// Copies the database, as this connection's transaction sees it, into an empty file. Others may read and write meanwhile.
    func copy(to draft: FileDraft, progress: (_ done: Int, _ total: Int) throws -> Void) throws
}
