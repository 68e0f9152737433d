import KinfolkThreads

/// The connection for writing, and the queue of writes.
extension Store {
    /// The maximum number of writes that share a transaction, so that nobody waits long for its end.
    private static let groupLimit = 256

    /// Runs `body` with exclusive use of the writer.
    func withWriter<Result>(_ body: (Connection, Deadline) throws -> Result) throws -> Result {
        guard !isReadOnly else { throw StorageError(.readOnly) }
        let deadline = deadline()
        let turn = PendingWrite(until: deadline)
        guard try waitForTurn(turn, until: deadline) else { throw turn.failure ?? StorageError(.misuse) }
        defer {
            passOn()
            Thread.leave()
        }
        return try body(writer(until: deadline), deadline)
    }

    /// Does the write whose turn has come, together with writes behind it in the queue.
    func writeTogether(_ first: PendingWrite, until deadline: Deadline) throws {
        var group = [first]
        var attempts = WriteAttempts(isAlone: !first.canJoin, until: deadline)
        // Whether the transaction must be repeated even if the wait is over, which may have ended after the server was lost.
        var isOwed = false
        var isOver = false
        var hasMadeRoom = false
        while !isOver {
            do {
                let writer = try writer(until: deadline)
                defer { letGoIfLost(writer) }
                do {
                    writer.isDurable = first.isDurable
                    try writer.transaction(attempts.purpose, until: deadline) { db in
                        let isOpen = first.canJoin && attempts.isFirst
                        try run(&group, isOpen: isOpen, canMakeRoom: !hasMadeRoom, db)
                        db.isRepeatable = group.allSatisfy(\.isRepeatable)
                    }
                } catch let error as StorageError where error.kind == .inDoubt {
                    isOwed = !first.mayBeWritten && group.allSatisfy(\.isRepeatable)
                    try settle(error, of: group, by: writer, until: deadline)
                }
                if connections.withLock({ $0.logNeedsTruncation }) { _ = truncateLog(with: writer) }
                isOver = true
            } catch let error as StorageError where error.kind == .full && !hasMadeRoom {
                // Everything was rolled back. A checkpoint of the log may free the missing space.
                hasMadeRoom = true
                isOver = !makeRoom()
                for write in group { if isOver { write.fail(error) } else { write.forgetFailure() } }
            } catch let error as StorageError
                where attempts.isWorthwhile(after: error) && (isOwed || !deadline.hasPassed)
            {
                isOwed = false
                attempts.prepareNext(after: error)
                for write in group { write.forgetFailure() }
            } catch let error as StorageError where attempts.isWorthwhile(after: error) || error.kind == .busy {
                // The first write's wait is over. Writes that joined it came later, and may still try.
                for write in group { write.forgetFailure() }
                connections.withLock { connections in
                    let canTry = { (write: PendingWrite) in write !== first && !write.deadline.hasPassed }
                    connections.line.insert(contentsOf: group.filter(canTry), at: 0)
                    group.removeAll(where: canTry)
                }
                for write in group { write.fail(error) }
                isOver = true
            } catch {
                for write in group { write.fail(error) }
                isOver = true
            }
        }
        for write in group { write.finish() }
        // The next writes run while these return.
        passOn()
        for write in group.dropFirst() { write.wake(.isOver) }
        Thread.leave()
    }

    /// Determines the outcome of a transaction when the connection was lost during the commit. Returns if it was committed.
    ///
    /// - Throws: A transient error if the transaction may be retried.
    private func settle(
        _ doubt: StorageError,
        of group: [PendingWrite],
        by writer: Connection,
        until deadline: Deadline
    ) throws {
        guard !group.allSatisfy(\.isRepeatable) else {
            for write in group { write.noteDoubt() }
            throw StorageError(.interrupted, detail: doubt.detail)
        }
        switch engine.outcome(of: writer.engine, until: deadline) {
        case .committed: return
        case .undone: throw StorageError(.interrupted, detail: doubt.detail)
        case .unknown: throw doubt
        }
    }

    /// Runs the writes of a group and, if the group is open, of writes that join it meanwhile.
    private func run(
        _ group: inout [PendingWrite],
        isOpen: Bool,
        canMakeRoom: Bool,
        _ db: Connection
    ) throws {
        // A single write does not need to be rolled back separately.
        if group.count == 1 {
            try group[0].run(db)
        } else {
            for write in group { try attempt(write, canMakeRoom: canMakeRoom, db) }
        }
        while isOpen, let next = nextToJoin(group) {
            group.append(next)
            try attempt(next, canMakeRoom: canMakeRoom, db)
        }
    }

    private func makeRoom() -> Bool { connections.withLock(\.writer)?.engine.makeRoom() ?? false }

    /// Runs one write of several: if it throws, the others continue.
    private func attempt(_ write: PendingWrite, canMakeRoom: Bool, _ db: Connection) throws {
        do {
            try db.part(write.run)
        } catch let error as StorageError where error.isPassing || error.kind == .full && canMakeRoom {
            throw error
        } catch {
            write.fail(error)
            // The others learn only that everything was rolled back, not why this write failed.
            guard db.isInTransaction else { throw StorageError(.inputOutput) }
        }
    }

    private func nextToJoin(_ group: [PendingWrite]) -> PendingWrite? {
        guard group.count < Store.groupLimit, group.last?.isConfirmed == false else { return nil }
        return connections.withLock { connections in
            connections.line.first.map { $0.canJoin && $0.isDurable == group[0].isDurable } == true
                ? connections.line.removeFirst() : nil
        }
    }

    /// Waits in the queue for the writer. False if another thread has done `write` meanwhile.
    func waitForTurn(_ write: PendingWrite, until deadline: Deadline) throws -> Bool {
        try checkFork()
        let isFirst = try connections.withLock { connections throws(StorageError) in
            guard connections.admits(write.thread) else { throw StorageError(.closed) }
            connections.line.append(write)
            return connections.nextTurn() === write
        }
        func hasCome(_ turn: PendingWrite.Turn?) -> Bool {
            if turn == .hasCome { Thread.enter() }
            return turn == .hasCome
        }
        if isFirst { return hasCome(.hasCome) }
        if let turn = write.wait(until: deadline) { return hasCome(turn) }
        let wasInLine = connections.withLock { connections in
            let place = connections.line.firstIndex { $0 === write }
            place.map { _ = connections.line.remove(at: $0) }
            return place != nil
        }
        if wasInLine { throw StorageError(write.mayBeWritten ? .inDoubt : .busy) }
        return hasCome(write.wait(until: .never))
    }

    /// Gives the writer to the next write in the queue.
    private func passOn() {
        let next = connections.withLock { connections in
            connections.writerIsFree = true
            connections.leave()
            return connections.nextTurn()
        }
        next?.wake(.hasCome)
    }

    /// The writer, for the thread whose turn it is.
    private func writer(until deadline: Deadline) throws -> Connection {
        if let writer = connections.withLock(\.writer) {
            if writer.engine.isUsable { return writer }
            letGoIfLost(writer)
        }
        let writer = try open(for: .write, until: deadline)
        connections.withLock { $0.writer = writer }
        return writer
    }

    /// Closes a writer that no longer works, so that the next write opens another one.
    private func letGoIfLost(_ writer: Connection) {
        guard !writer.engine.isUsable else { return }
        writer.close()
        connections.withLock { $0.writer = nil }
    }

    func truncateLog(with writer: Connection) -> Bool {
        let done = writer.engine.truncateLog()
        connections.withLock { $0.logNeedsTruncation = !done }
        return done
    }
}
