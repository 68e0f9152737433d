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
    var logNeedsTruncation = false
    var trace: WorkTrace?
    /// For each connection.
    var newestSchema = Int64.max

    var isAtRest: Bool { writerIsFree && idleReaders.count == openReaders }

    /// Gives the writer, if it is free, to the first write in the queue.
    mutating func nextTurn() -> PendingWrite? {
        guard writerIsFree, !isStopped, !line.isEmpty else { return nil }
        writerIsFree = false
        return line.removeFirst()
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
