import KinfolkThreads

extension Store {
    /// What a store does when the process forks. A separate object, so that it outlives the store until the last connection is
    /// closed.
    final class AtFork: ForkParticipant {
        private let connections: Lock<StoreConnections>

        init(_ connections: Lock<StoreConnections>) { self.connections = connections }

        /// Waits until all connections are idle, and closes them.
        ///
        /// SQLite keeps a list of the locks that this process has on each file. With an open connection, a forked child would
        /// believe that it holds the parent's locks, and could damage the store through a connection of its own. A connection to
        /// a server would be shared by two processes.
        func prepareForFork() {
            connections.withLock { $0.isStopped = true }
            _ = connections.withLock(when: \.isAtRest, until: .never) { $0.close() }
            connections.lockForFork { _ in }
        }

        func resumeAfterFork() {
            connections.unlockAfterFork()
            let next = connections.withLock { connections in
                connections.isStopped = false
                return connections.nextTurn()
            }
            next?.wake(.hasCome)
        }
    }
}
