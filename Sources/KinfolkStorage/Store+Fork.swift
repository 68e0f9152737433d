import KinfolkThreads

extension Store {
    /// What a store does when the process forks. An object of its own, so that it outlives the store until the last
    /// connection is closed.
    final class AtFork: ForkParticipant {
        private let connections: Lock<StoreConnections>

        init(_ connections: Lock<StoreConnections>) { self.connections = connections }

        /// Closes all connections once they are idle.
        ///
        /// SQLite keeps for each file what this process has locked. A child that found a connection open there would believe
        /// that it holds the parent's locks, and could damage the store through a connection of its own. A connection to a
        /// server would be one for two.
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
