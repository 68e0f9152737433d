import KinfolkThreads

/// The connections for reading, which are opened on demand.
extension Store {
    func takeReader(until deadline: Deadline) throws -> Connection {
        try checkFork()
        let limit = engine.readerLimit
        let canTake = { (connections: StoreConnections) in
            !connections.isStopped && (!connections.idleReaders.isEmpty || connections.openReaders < limit)
        }
        let idle = connections.withLock(when: canTake, until: deadline) { connections -> Connection? in
            connections.readCount += 1
            if let reader = connections.idleReaders.popLast() { return reader }
            connections.openReaders += 1
            return nil
        }
        guard let idle else { throw StorageError(.busy) }
        if let reader = idle {
            if reader.engine.isUsable { return reader }
            reader.close()
        }
        do {
            return try open(for: .read, until: deadline)
        } catch {
            connections.withLock { $0.openReaders -= 1 }
            throw error
        }
    }

    func giveBack(_ reader: Connection, isUsable: Bool = true) {
        guard isUsable && reader.engine.isUsable else {
            reader.close()
            connections.withLock { $0.openReaders -= 1 }
            return
        }
        connections.withLock { $0.idleReaders.append(reader) }
    }
}
