import KinfolkAccounts
import KinfolkCore
import KinfolkModel
import KinfolkStorage

extension Service {
    /// Deletes a container and everything in it: user record IDs, user records, consents and their wordings, blocks,
    /// directories and their keys, limits and what was spent of them, the schema, and counts of activity.
    ///
    /// The accounts remain, and so does what they have in other containers. From the first transaction on, sessions and handles
    /// of the container throw ``KinfolkError/Code/unknownItem`` in all processes, and their account status is
    /// ``AccountStatus/noAccount``. Entries of the audit log remain, without the user record IDs and the reasons.
    ///
    /// A container with many people is deleted in several transactions; after the first one, nobody can use the container. If the
    /// call is interrupted, call it again to resume; until the deletion is complete, the name cannot be used for another
    /// container. A container that is created with the same name later is a new one: people have other user record IDs in it,
    /// have made no decisions, and have spent no permits.
    ///
    /// ```swift
    /// do {
    ///     try service.deleteContainer("com.example.notes") { progress throws(KinfolkError) in
    ///         print("\(progress.people) of \(progress.total)")
    ///         if Task.isCancelled { throw .cancelled }
    ///     }
    /// } catch .cancelled {
    ///     // Call deleteContainer again to resume. Until then nobody can use the container.
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The container's name.
    ///   - progress: Called after each transaction, on the calling thread. If it throws, the call ends. Call again to resume: see
    ///     ``KinfolkError/cancelled``.
    /// - Returns: What was removed.
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if `name` is not a valid container name, ``KinfolkError/Code/unknownItem``
    ///   if there is no such container.
    @discardableResult
    public func deleteContainer(
        _ name: String,
        progress: (ContainerDeletion.Progress) throws(KinfolkError) -> Void = { _ in }
    ) throws(KinfolkError) -> ContainerDeletion {
        try deleteContainer(name, .standard, progress: progress)
    }

    /// - Parameter limits: When a transaction ends.
    func deleteContainer(
        _ name: String,
        _ limits: ContainerEraser.BatchLimits,
        progress: (ContainerDeletion.Progress) throws(KinfolkError) -> Void = { _ in }
    ) throws(KinfolkError) -> ContainerDeletion {
        try ContainerName.validate(name)
        let (erasers, total) = try write { db in
            let keys = try keys(db)
            let rows = try ContainerEnvironment.allCases.compactMap { environment in
                try ContainerTable.row(named: name, environment, keys, db)
            }
            guard !rows.isEmpty else { throw Container.unknown }
            for row in rows where row.state == .inUse { try ContainerTable.set(.ending, of: row, keys, db) }
            // From now on, every service sees that the container may not be used.
            if rows.contains(where: { $0.state == .inUse }) { try KeyTable.renewStamp(db) }
            let erasers = rows.map { ContainerEraser(service: self, container: $0, limits: limits) }
            return (erasers, try erasers.reduce(0) { try $0 + $1.count(db) })
        }
        watcher.stir()
        var (people, batches) = (0, 0)
        for eraser in erasers {
            var isOver = false
            while !isOver {
                if batches > 0 { try progress(ContainerDeletion.Progress(people: people, total: max(total, people))) }
                let batch = try write(isLarge: true) { db in try eraser.eraseBatch(db) }
                people += batch.people
                batches += 1
                isOver = batch.isOver
                watcher.stir()
            }
            filters.forget(eraser.container.number)
        }
        // Everything is deleted: it is too late to cancel the call.
        try? progress(ContainerDeletion.Progress(people: people, total: people))
        let isPending: Bool
        do { isPending = try !store.truncateLog() } catch { isPending = true }
        return ContainerDeletion(people: people, isPending: isPending)
    }
}
