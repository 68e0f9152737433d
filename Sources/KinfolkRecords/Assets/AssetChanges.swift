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

    /// Notes the assets of a record that is saved or deleted, before and after.
    mutating func note(from before: [Asset], to after: [Asset], in place: RecordPlace, _ db: Connection) throws {
        guard !before.isEmpty || !after.isEmpty else { return }
        let (old, new) = (Set(before.map(\.id)), Set(after.map(\.id)))
        for id in old.subtracting(new) { dropped[Key(owner: place.owner, zone: place.zone, id: id)] = place }
        try AssetTable.noteNamed(new.subtracting(old).sorted(), in: place, db)
    }

    /// Deletes the assets that no record names any more.
    ///
    /// - Returns: Whether chunks are left to be deleted afterwards.
    mutating func finish(_ bytes: inout ByteChanges, lane: Int, _ db: Connection) throws -> Bool {
        var (room, hasLeft) = (AssetChunkTable.batchSize, false)
        for (key, place) in dropped where try !AssetTable.isNamed(key.id, in: place, db) {
            let deleted = try AssetTable.delete(unnamed: key.id, chunksAtMost: room, in: place, db)
            guard let deleted else { continue }
            if deleted.chunks == 0 || deleted.chunks == room { hasLeft = true }
            room -= deleted.chunks
            bytes.add(from: (deleted.bytes, deleted.creator), to: (0, nil), lane: lane, in: place)
        }
        dropped = [:]
        return hasLeft
    }
}
