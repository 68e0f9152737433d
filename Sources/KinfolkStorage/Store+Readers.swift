import KinfolkThreads

/// The connections for reading, which are opened on demand.
extension Store {
    func takeReader(until deadline: Deadline) throws -> Connection {
        try checkFork()
        let limit = engine.readerLimit
        let thread = Thread.current
        let canTake = { (connections: StoreConnections) in
            !connections.admits(thread)
                || !connections.isStopped && (!connections.idleReaders.isEmpty || connections.openReaders < limit)
        }
        let idle = try connections.withLock(when: canTake, until: deadline) {
            connections throws(StorageError) -> Connection? in
            guard connections.admits(thread) else { throw StorageError(.closed) }
            connections.enter(thread)
            connections.readCount += 1
            if let reader = connections.idleReaders.popLast() { return reader }
            connections.openReaders += 1
            return nil
        }
        guard let idle else { throw StorageError(.busy) }
        Thread.enter()
        if let reader = idle {
            if reader.engine.isUsable { return reader }
            reader.close()
        }
        do {
            return try open(for: .read, until: deadline)
        } catch {
            giveBack(nil)
            throw error
        }
    }

    /// - Parameter reader: Nil if it could not be opened.
    func giveBack(_ reader: Connection?, isUsable: Bool = true) {
        let isKept = isUsable && reader?.engine.isUsable == true
        if !isKept { reader?.close() }
        connections.withLock { connections in
            if isKept, let reader { connections.idleReaders.append(reader) } else { connections.openReaders -= 1 }
            connections.leave()
        }
        Thread.leave()
    }
}
