import CLibPQ
import Glibc
import KinfolkThreads

/// Sends to the server and receives its results.
extension PostgreSQLConnection {
    /// How many seconds after the server's own time limit the connection counts as lost.
    private static let grace = 5.0

    /// The deadline for what is sent now.
    private var limit: Deadline { Deadline(in: statementTimeout + PostgreSQLConnection.grace) }

    /// A deferred request: it is sent to the server together with the next request, before it.
    struct PutOff {
        let send: () throws -> Void
        /// Receives the result and owns it; nil if there is none because this or an earlier request failed.
        let take: (OpaquePointer?) -> Void
    }

    /// Deferred requests are sent when there are this many, to limit memory.
    private static let putOffLimit = 2_000

    /// Defers a request until the next one is sent, or at the latest until the transaction ends. If it fails, that next exchange
    /// throws.
    func putOff(_ send: @escaping () throws -> Void, take: @escaping (OpaquePointer?) -> Void) throws {
        transaction.hasWork = true
        if putOffs.count >= PostgreSQLConnection.putOffLimit { try exchange() }
        putOffs.append(PutOff(send: send, take: take))
    }

    /// Defers a command. `take` receives the last value of its answer.
    func putOff(_ command: String, take: @escaping (String) -> Void = { _ in }) {
        putOffs.append(
            PutOff(
                send: { [unowned self] in try send(command: command) },
                take: { [unowned self] result in
                    if let value = result.flatMap(lastValue) { take(value) }
                    library.PQclear(result)
                }
            )
        )
    }

    /// Discards the deferred requests; the server never saw them.
    func dropPutOffs() {
        let dropped = putOffs
        putOffs = []
        for one in dropped { one.take(nil) }
    }

    /// Runs commands without values, and returns the last value of the last row.
    @discardableResult
    func command(_ sql: String) throws -> String {
        if !putOffs.isEmpty { try exchange() }
        try takeEnd()
        roundTripCount += 1
        transaction.hasWork = true
        try give { library.PQsendQuery(handle, sql) }
        var answer = ""
        try takeResults { result in
            defer { library.PQclear(result) }
            answer = lastValue(of: result) ?? answer
        }
        return answer
    }

    /// Sends all deferred requests in one round trip.
    ///
    /// - Throws: The error of the first request that failed.
    func exchange() throws {
        try takeEnd()
        roundTripCount += 1
        try give { library.PQenterPipelineMode(handle) }
        let sent = putOffs
        putOffs = []
        var taken = 0
        defer { for one in sent.dropFirst(taken) { one.take(nil) } }
        for one in sent { try one.send() }
        try give { library.PQpipelineSync(handle) }

        var failure: StorageError?
        for one in sent {
            taken += 1
            var last: OpaquePointer?
            do {
                try takeResults { result in
                    library.PQclear(last)
                    last = result
                }
            } catch let error as StorageError {
                library.PQclear(last)
                last = nil
                failure = failure ?? error
            }
            one.take(last)
            if isLost { throw failure ?? lost() }
        }
        try takeSync()
        guard library.PQexitPipelineMode(handle) == 1 else { throw lost() }
        guard let failure else { return }
        // It is not known which of several joined writes failed. A conflict is the failure of all of them.
        let isAnybodys = transaction.parts == .together && failure.kind != .inDoubt && failure.kind != .conflict
        throw isAnybodys ? StorageError(.interrupted, detail: failure.detail) : failure
    }

    /// Ends a read transaction. The answer is not awaited: it is received before the next request is sent.
    func endReading() throws {
        try takeEnd()
        guard Int(library.PQtransactionStatus(handle)) != KINFOLK_PG_IDLE else { return }
        try give { library.PQenterPipelineMode(handle) }
        try send(command: "COMMIT")
        try give { library.PQpipelineSync(handle) }
        isEnding = true
        guard library.PQflush(handle) >= 0 else { throw lost() }
    }

    private func takeEnd() throws {
        guard isEnding else { return }
        isEnding = false
        do { try takeResults { library.PQclear($0) } } catch { throw lost() }
        try takeSync()
        guard library.PQexitPipelineMode(handle) == 1 else { throw lost() }
    }

    /// Receives the sync point of a pipeline.
    private func takeSync() throws {
        let result = try next(until: limit)
        defer { library.PQclear(result) }
        guard let result, Int(library.PQresultStatus(result)) == KINFOLK_PG_PIPELINE_SYNC else { throw lost() }
    }

    // MARK: Sending

    func send(preparing name: String, _ sql: String, types: [kinfolk_pg_oid]) throws {
        try give { library.PQsendPrepare(handle, name, sql, Int32(types.count), types) }
    }

    /// Sends a statement with its values. Values and results are in binary form.
    func send(_ name: String, _ values: PostgreSQLValues) throws {
        try give {
            values.withPointers { pointers, lengths, formats in
                library.PQsendQueryPrepared(handle, name, Int32(pointers.count), pointers, lengths, formats, 1)
            }
        }
    }

    func send(command: String) throws {
        try give {
            command.hasPrefix(Prepared.prefix)
                ? library.PQsendQueryPrepared(handle, command, 0, nil, nil, nil, 0)
                : library.PQsendQueryParams(handle, command, 0, nil, nil, nil, nil, 0)
        }
    }

    /// Hands a request to libpq.
    private func give(_ body: () -> Int32) throws {
        guard !isLost, body() == 1 else { throw lost() }
    }

    // MARK: Results

    /// Receives all results of one request, and passes each to `body`, which owns it. Throws the error of the first result that
    /// failed.
    private func takeResults(_ body: (OpaquePointer) -> Void) throws {
        var failure: StorageError?
        let deadline = limit
        while let result = try next(until: deadline) {
            do {
                try check(result)
            } catch let error as StorageError {
                library.PQclear(result)
                failure = failure ?? error
                continue
            }
            body(result)
        }
        if let failure { throw failure }
    }

    /// Waits for the next result; nil after the last one of a statement.
    private func next(until deadline: Deadline) throws -> OpaquePointer? {
        while true {
            let unsent = library.PQflush(handle)
            guard unsent >= 0 else { throw lost() }
            if unsent == 0 && library.PQisBusy(handle) == 0 { return library.PQgetResult(handle) }
            try wait(forWriting: unsent > 0, until: deadline)
            guard library.PQconsumeInput(handle) == 1 else { throw lost() }
        }
    }

    private func wait(forWriting: Bool, until deadline: Deadline) throws {
        var poll = pollfd(fd: library.PQsocket(handle), events: Int16(POLLIN | (forWriting ? POLLOUT : 0)), revents: 0)
        while true {
            let count = Glibc.poll(&poll, 1, Int32(clamping: deadline.milliseconds + 1))
            if count > 0 { return }
            guard count == 0 || errno == EINTR, !deadline.hasPassed else { throw lost() }
        }
    }

    private func check(_ result: OpaquePointer) throws {
        switch Int(library.PQresultStatus(result)) {
        case KINFOLK_PG_COMMAND_OK, KINFOLK_PG_TUPLES_OK, KINFOLK_PG_EMPTY_QUERY, KINFOLK_PG_PIPELINE_SYNC: return
        // An earlier request in the pipeline failed, and its result has the reason.
        case KINFOLK_PG_PIPELINE_ABORTED: throw StorageError(.inputOutput)
        default:
            let state = library.PQresultErrorField(result, Int32(KINFOLK_PG_DIAGNOSTIC_SQLSTATE))
            // Without a SQLSTATE, the error is libpq's own: the connection broke.
            guard let state else { throw lost() }
            let error = StorageError(sqlState: String(cString: state), in: transaction)
            if error.endsSession { throw lost() }
            throw error
        }
    }

    /// The last value of the last row of a result; nil if it has no rows.
    private func lastValue(of result: OpaquePointer) -> String? {
        let (rows, columns) = (library.PQntuples(result), library.PQnfields(result))
        guard rows > 0, columns > 0 else { return nil }
        return library.PQgetvalue(result, rows - 1, columns - 1).map { String(cString: $0) }
    }

    /// Marks the connection as lost: the server is gone or does not answer.
    private func lost() -> StorageError {
        isLost = true
        return StorageError(
            transaction.isCommitting ? .inDoubt : .interrupted,
            detail: "the connection to the server was lost"
        )
    }
}
