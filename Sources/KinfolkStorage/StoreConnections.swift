/// What connections a ``Store`` has, and who waits for them.
struct StoreConnections {
    var writer: Connection?
    var writerIsFree = true
    /// Who waits for the writer, in the order in which they came: a thread that writes all the time must not keep it.
    var line: [PendingWrite] = []
    var idleReaders: [Connection] = []
    var openReaders = 0
    var isStopped = false
    var logNeedsTruncation = false
    var trace: WorkTrace?

    var isAtRest: Bool { writerIsFree && idleReaders.count == openReaders }

    /// Gives the writer, which is free, to the first in line.
    mutating func nextTurn() -> PendingWrite? {
        guard writerIsFree, !isStopped, !line.isEmpty else { return nil }
        writerIsFree = false
        return line.removeFirst()
    }

    /// Closes the readers that nobody uses.
    mutating func closeReaders() {
        for reader in idleReaders { reader.close() }
        openReaders -= idleReaders.count
        idleReaders = []
    }

    /// Closes all connections. They are at rest.
    mutating func close() {
        if logNeedsTruncation, let writer { logNeedsTruncation = !writer.engine.truncateLog() }
        // By name, and not by letting go: a thread that just gave one back may hold it for some instructions more.
        writer?.close()
        for reader in idleReaders { reader.close() }
        writer = nil
        idleReaders = []
        openReaders = 0
    }
}
