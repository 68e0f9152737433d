package import KinfolkThreads

/// How a store is closed, while other threads may be using it.
extension Store {
    /// Closes all connections. Transactions under way end first, except those of the calling thread: these have the last connections, which
    /// are closed when they end. Later transactions fail with ``StorageError/Kind/closed``. Closing again does nothing.
    package func close() {
        guard isOfThisProcess else { return }
        refuseOthers()
        // No fork can begin while the lock is held. The store is unregistered only after its files are closed.
        _ = connections.withLock(when: { !$0.isStopped }, until: .never) { connections in
            connections.access = .nobody
            connections.closeIfEnded()
        }
        Fork.unregister(atFork)
    }

    /// From now on, only the calling thread may begin transactions, until it calls ``close()``. Writes in the queue fail. Returns when no
    /// other thread is in a transaction.
    package func refuseOthers() {
        let own = Thread.current
        let refused = connections.withLock { connections in
            if case .nobody = connections.access {} else { connections.access = .only(own) }
            // Not before: a thread that finds it true, and so does not cut its wait short, is refused.
            isClosing.withLock { $0 = true }
            defer { connections.line = [] }
            return connections.line
        }
        for write in refused {
            write.fail(StorageError(.closed))
            write.finish()
            write.wake(.isOver)
        }
        _ = connections.withLock(when: { $0.isAtRest(except: own) }, until: .never) { _ in }
    }

    /// Runs `body` when the calling thread has left its transactions, also those of other stores: two threads that close each other's store
    /// would wait for each other. Refuses all new ones until then. False if the thread is in none: then nothing is done.
    package func postpone(_ body: @escaping () -> Void) -> Bool {
        guard Thread.postpone(body) else { return false }
        connections.withLock { connections in
            if case .all = connections.access { connections.access = .only(0) }
            isClosing.withLock { $0 = true }
        }
        return true
    }

    /// Throws if the store is being closed. For work that would keep a transaction for a long time.
    package func requireOpen() throws {
        if isClosing.withLock(\.self) { throw StorageError(.closed) }
    }

    /// The deadline of a transaction: the given one, or that of the store's own wait; and earlier when another thread closes the store.
    func deadline(_ given: Deadline? = nil) -> Deadline {
        cut(given ?? Deadline(in: wait))
    }

    /// The deadline, or an earlier time when another thread closes the store.
    package func cut(_ deadline: Deadline) -> Deadline {
        // Once the store is being closed, only the thread that closes it begins transactions.
        return isClosing.withLock(\.self) ? deadline : deadline.cut(by: isClosing)
    }

    /// The error to report: a wait for others was cut short if the store is being closed.
    func cause(of error: any Error) -> any Error {
        guard let failure = error as? StorageError, isClosing.withLock(\.self) else { return error }
        let isCutShort = failure.isPassing || failure.kind == .busy || failure.kind == .unreachable
        return isCutShort ? StorageError(.closed) : error
    }
}
