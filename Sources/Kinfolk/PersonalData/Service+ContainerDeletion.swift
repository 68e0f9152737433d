import KinfolkStorage

extension Service {
    /// Deletes a container and everything in it: user record IDs, user records, consents and their wordings, blocks,
    /// directories and their keys, limits and what was spent of them, the schema, and counts of activity.
    ///
    /// The accounts stay, and so does what they have in other containers. Sessions and handles of the container throw
    /// ``KinfolkError/Code/unknownItem`` from then on, in all processes, and their account status is
    /// ``AccountStatus/noAccount``. Entries of the audit log stay, without the user record IDs and the reasons.
    ///
    /// A container that many people use is deleted in several transactions: from the first one on nobody can use it. If the
    /// call is interrupted, call it again; until then the name cannot be used for another container. A container that is made
    /// with the name later is a new one: people have other user record IDs there, have decided nothing, and have spent no
    /// permits.
    ///
    /// - Parameters:
    ///   - name: The container's name.
    ///   - progress: Told after each transaction, on the calling thread. What it throws ends the call, which can be resumed: see
    ///     ``KinfolkError/cancelled``.
    /// - Returns: What was removed.
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if this is no container's name, ``KinfolkError/Code/unknownItem`` if it does
    ///   not exist.
    @discardableResult
    public func deleteContainer(
        _ name: String,
        progress: (ContainerDeletion.Progress) throws(KinfolkError) -> Void = { _ in }
    ) throws(KinfolkError) -> ContainerDeletion {
        try deleteContainer(name, batchSize: ContainerEraser.batchSize, progress: progress)
    }

    /// - Parameter batchSize: How many people share a transaction.
    package func deleteContainer(
        _ name: String,
        batchSize: Int,
        progress: (ContainerDeletion.Progress) throws(KinfolkError) -> Void = { _ in }
    ) throws(KinfolkError) -> ContainerDeletion {
        try ContainerName.validate(name)
        let (eraser, total, first) = try write(isLarge: true) { db in
            let keys = try keys(db)
            guard let row = try ContainerTable.row(named: name, keys, db) else { throw Container.unknown }
            if row.state == .inUse {
                try ContainerTable.set(.ending, of: row, keys, db)
                // From now on all services know that nobody may use it.
                try KeyTable.renewStamp(db)
            }
            let eraser = ContainerEraser(service: self, container: row, batchSize: batchSize)
            return (eraser, try eraser.count(db), try eraser.eraseBatch(db))
        }
        var (people, last) = (first.people, first)
        watcher.stir()
        while !last.isOver {
            try progress(ContainerDeletion.Progress(people: people, total: max(total, people)))
            last = try write(isLarge: true) { db in try eraser.eraseBatch(db) }
            people += last.people
            watcher.stir()
        }
        try progress(ContainerDeletion.Progress(people: people, total: people))
        filters.forget(eraser.container.number)
        let isPending: Bool
        do { isPending = try !store.truncateLog() } catch { isPending = true }
        return ContainerDeletion(people: people, isPending: isPending)
    }
}
