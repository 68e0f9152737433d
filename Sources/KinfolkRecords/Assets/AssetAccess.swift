import KinfolkAccounts
import KinfolkCrypto
import KinfolkModel
import KinfolkStorage

/// Which assets a session may read, in one transaction.
struct AssetAccess {
    private let transaction: RecordTransaction
    private var db: Connection { transaction.db }

    init(_ transaction: RecordTransaction) { self.transaction = transaction }

    /// The row of an asset that the session may read.
    ///
    /// - Throws: ``KinfolkError/Code/assetNotAvailable`` if the store has none, or the session may not read it: the error
    ///   does not tell which.
    func row(of asset: Asset) throws -> AssetRow {
        guard let place = try transaction.place(ofZone: asset.zone),
            let row = try AssetTable.row(asset.id, in: place, db),
            row.holds(asset), try mayRead(row, in: place)
        else { throw AssetAccess.notAvailable }
        return row
    }

    /// Whether the session may read one of the records that name the asset, or uploaded it.
    private func mayRead(_ row: AssetRow, in place: RecordPlace) throws -> Bool {
        guard transaction.database == .public else { return true }
        if let creator = row.content.creator, try creator == transaction.session.activeUser(db)?.record { return true }
        guard row.isNamed else { return false }
        return try place.tags.contains { try mayReadOne(naming: row.id, $0.asset(row.id), in: place) }
    }

    /// Whether the session may read one of the records that name an asset.
    private func mayReadOne(naming asset: RandomID, _ tag: Tag, in place: RecordPlace) throws -> Bool {
        var last: Int64 = 0
        while true {
            let sources = try ReferenceTable.sources(
                of: tag,
                .asset,
                after: last,
                limit: AssetAccess.pageSize,
                in: place,
                db
            )
            for source in sources where try transaction.access.mayRead(someOfType: source.type) {
                if try mayRead(source.number, naming: asset, in: place) { return true }
            }
            guard sources.count == AssetAccess.pageSize, let end = sources.last?.number else { return false }
            // In a damaged index, the pages could form an endless cycle.
            guard end > last else { throw StorageError(.corrupt) }
            last = end
        }
    }

    /// Whether the session may read a record, and the record has the asset: the row of the reference is not sealed.
    private func mayRead(_ record: Int64, naming asset: RandomID, in place: RecordPlace) throws -> Bool {
        do {
            guard let record = try RecordTable.row(number: record, in: place, db) else { return false }
            return try transaction.access.mayRead(record) && record.content.assets.contains { $0.id == asset }
        } catch let error where KinfolkError(error).code == .storeCorrupt {
            // Another record may have it too.
            return false
        }
    }

    private static let pageSize = 100

    static var notAvailable: KinfolkError {
        KinfolkError(.assetNotAvailable, "There is no such asset that this session may use.")
    }
}
