import Kinfolk
import KinfolkStorage

extension Service {
    /// Removes what is left of deleted files here, because the service's own thread ends with this process. If it cannot be removed
    /// now, the next program that keeps the store open removes it.
    func removeDeletedFiles() {
        guard hasDeletedFiles else { return }
        var bar = ProgressBar("Removing")
        defer { bar.clear() }
        var removed = 0
        // The files are deleted already, and nobody can read them. So no error here is one of the command.
        try? sweep { (count) throws(KinfolkError) in
            removed += count
            try bar.show(
                share: nil,
                removed,
                "rows",
                orStop:
                    "Stopped after \(removed) rows of deleted files. Nobody can read the files any more, and the next program "
                    + "that keeps the store open removes the other rows."
            )
            // Rows of deleted zones are left to others.
            if !hasDeletedFiles { throw .cancelled }
        }
    }

    /// Whether the store has chunks of deleted files.
    var hasDeletedFiles: Bool { (try? store.read(RemovedAssetTable.isEmpty)) == false }
}
