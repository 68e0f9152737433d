import KinfolkFiles
import KinfolkThreads

/// The connections of a ``Store``, and the queue of writes.
struct StoreConnections {
    var writer: Connection?
    var writerIsFree = true
    /// The writes that wait for the writer, in order of arrival, so that a thread that writes all the time cannot keep the
    /// writer.
    var line: [PendingWrite] = []
    var idleReaders: [Connection] = []
    var openReaders = 0
    /// How many reads have begun.
    var readCount = 0
    var isStopped = false
    /// The files of the database, which callers may not name until it is closed.
    var files: FilesInUse?
    /// Who may begin transactions.
    var access = Access.all
    /// The threads that are in a transaction or begin one; a thread may be in several.
    private var users: [UInt] = []
    var logNeedsTruncation = false
    var trace: WorkTrace?
    /// For each connection.
    var newestSchema = Int64.max

    enum Access {
        case all
        /// The thread that closes the store; 0 if none does yet.
        case only(UInt)
        case nobody
    }

    var isAtRest: Bool { users.isEmpty }

    /// Whether no thread except this one is in a transaction.
    func isAtRest(except thread: UInt) -> Bool { users.allSatisfy { $0 == thread } }

    func admits(_ thread: UInt) -> Bool {
        switch access {
        case .all: true
        case .only(let closer): closer == thread
        case .nobody: false
        }
    }

    mutating func enter(_ thread: UInt) { users.append(thread) }

    /// Notes that the calling thread has left a transaction. It calls `Thread.leave()` after that, without the lock.
    mutating func leave() {
        let thread = Thread.current
        users.firstIndex(of: thread).map { _ = users.remove(at: $0) }
        closeIfEnded()
    }

    /// Closes all connections for good, once no thread may or does use them.
    mutating func closeIfEnded() {
        guard isAtRest, case .nobody = access else { return }
        close()
        files = nil
    }

    /// Gives the writer, if it is free, to the first write in the queue.
    mutating func nextTurn() -> PendingWrite? {
        guard writerIsFree, !isStopped, !line.isEmpty else { return nil }
        writerIsFree = false
        let next = line.removeFirst()
        enter(next.thread)
        return next
    }

    /// Closes the idle readers.
    mutating func closeReaders() {
        for reader in idleReaders { reader.close() }
        openReaders -= idleReaders.count
        idleReaders = []
    }

    /// Closes all connections, which must be idle.
    mutating func close() {
        if logNeedsTruncation, let writer { logNeedsTruncation = !writer.engine.truncateLog() }
        // Closed explicitly: a thread that has just returned a connection may hold a reference for a few more instructions.
        writer?.close()
        for reader in idleReaders { reader.close() }
        writer = nil
        idleReaders = []
        openReaders = 0
    }
}
