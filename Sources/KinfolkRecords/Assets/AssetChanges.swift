import KinfolkCore
import KinfolkModel
import KinfolkStorage

/// The assets that the records of one transaction begin and cease to name. Those that no record names any more are deleted at the end:
/// a record may cease to name an asset that a later one of the transaction names.
struct AssetChanges {
    private struct Key: Hashable {
        let owner: [UInt8]
        let zone: Int64
        let id: RandomID
    }

    private var dropped: [Key: RecordPlace] = [:]

    /// Whether assets may have to be deleted.
    var isEmpty: Bool { dropped.isEmpty }

    /// Notes the rows of references that a record gets and loses.
    ///
    /// - Returns: Whether a transaction that wrote them must write their assets too.
    mutating func note(
        removed: Set<ReferenceTable.Entry>,
        added: Set<ReferenceTable.Entry>,
        in place: RecordPlace,
        _ db: Connection
    ) throws {
        for entry in removed where entry.kind == .asset { drop(RandomID(tag: entry.target), in: place) }
        let named = added.lazy.filter { $0.kind == .asset }.map(\.target).sorted()
        guard !named.isEmpty else { return }
        try AssetTable.noteNamed(named.map(RandomID.init(tag:)), in: place, db)
    }

    /// Notes that an asset may no longer be named.
    mutating func drop(_ id: RandomID, in place: RecordPlace) {
        dropped[Key(owner: place.owner, zone: place.zone, id: id)] = place
    }

    /// Deletes the assets that no record names any more.
    mutating func finish(_ bytes: inout ByteChanges, lane: Int, _ db: Connection) throws {
        for (key, place) in dropped where try !AssetTable.isNamed(key.id, in: place, db) {
            guard let row = try AssetTable.row(key.id, in: place, db) else { continue }
            try AssetTable.delete(row, in: place, db)
            bytes.add(from: (row.bytes, row.content.creator), to: (0, nil), lane: lane, in: place)
        }
        dropped = [:]
    }
}
