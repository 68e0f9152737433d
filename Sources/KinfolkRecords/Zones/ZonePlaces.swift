package import KinfolkCore
import KinfolkModel
package import KinfolkStorage

/// The zones of a container's databases, by their numbers, in one transaction.
///
/// Rows are read in the order of databases and zones, so only the last zone is kept.
package final class ZonePlaces {
    private let container: Int64
    private let keys: ContainerKeys
    private let db: Connection
    private var last: (owner: [UInt8], zone: Int64, place: RecordPlace?)?

    package init(in container: Int64, _ keys: ContainerKeys, _ db: Connection) {
        self.container = container
        self.keys = keys
        self.db = db
    }

    /// The zone in which the records of a row are; nil if it was deleted, and its rows are being removed.
    ///
    /// - Parameter zone: The zone in the row. A row of an index may belong to the public records that its owner created.
    package func place(owner: [UInt8], zone: Int64) throws -> RecordPlace? {
        if let last, last.zone == zone, last.owner == owner { return last.place }
        let database = try RecordPlace(ofOwner: owner, in: container, keys)
        let place: RecordPlace? =
            switch zone {
            case 0: database
            case IndexScope.ofCreator: RecordPlace(ofPrivate: nil, in: container, keys)
            default: try ZoneTable.place(number: zone, in: database, db)
            }
        last = (owner, zone, place)
        return place
    }
}
