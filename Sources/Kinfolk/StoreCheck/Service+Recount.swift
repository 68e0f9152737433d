import KinfolkAccounts
import KinfolkCore
import KinfolkModel
import KinfolkRecords
import KinfolkStorage

extension Service {
    /// Counts the bytes of all records and assets again, on which quotas depend, and corrects the stored counts. They can be wrong only if
    /// the store was edited without Kinfolk: `check(progress:)` then finds `record_bytes` or `assets` miscounted.
    ///
    /// Each container is counted in one transaction, which others wait for.
    ///
    /// - Throws: ``KinfolkError/Code/storeCorrupt`` if a record or an asset cannot be read. The counts of its container stay as they are.
    public func recountBytes() throws(KinfolkError) {
        let containers = try read { db in try ContainerTable.all(db).map(\.number) }
        for container in containers {
            do { try store.write(isLarge: true) { db in try recount(container, db) } } catch {
                throw KinfolkError(error)
            }
        }
    }

    /// How many rows are read at once.
    private static let recountedRows = 1_000

    private func recount(_ container: Int64, _ db: Connection) throws {
        // A container that is being deleted has no counts that matter.
        guard (try? keys(db).requireInUse(container)) != nil else { return }
        let keys = try keys(ofContainer: container, in: db)
        var counts = ByteChanges()
        var record: RecordTable.Position? = .start
        while let start = record {
            record = try RecordTable.forEach(
                in: container,
                after: start,
                limit: Service.recountedRows,
                keys,
                db
            ) { place, row in
                counts.add(from: (0, nil), to: (row.size, row.content.countedCreator), lane: lane, in: place)
            }
        }
        var asset: AssetTable.Position? = .start
        while let start = asset {
            asset = try AssetTable.forEach(
                in: container,
                after: start,
                limit: Service.recountedRows,
                keys,
                db
            ) { place, row, _ in
                let bytes = try AssetTable.recount(row, in: place, db)
                counts.add(from: (0, nil), to: (bytes, row.content.countedCreator), lane: lane, in: place)
            }
        }
        try ByteCountTable.replace(with: counts, in: container, db)
    }
}
