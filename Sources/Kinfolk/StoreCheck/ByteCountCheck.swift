import KinfolkRecords
import KinfolkStorage

/// Compares the counts of bytes with the records and assets. A database may have very many owners and creators, so no count of each is kept, but
/// one sum over all, in which each has a random factor: it is right by chance only once in 2^64 stores.
struct ByteCountCheck {
    private var difference = 0

    /// Whether the counts that were noted are those of the records.
    var isRight: Bool { difference == 0 }

    mutating func note(_ record: RecordRow, in place: RecordPlace) {
        add(record.size, .database, place.owner, place.zone, in: place.container)
        guard place.database == .public, let creator = record.content.countedCreator else { return }
        add(record.size, .creator, creator.value.bytes, place.zone, in: place.container)
    }

    mutating func note(_ asset: AssetRow, in place: RecordPlace) {
        add(asset.bytes, .database, place.owner, place.zone, in: place.container)
        guard place.database == .public, let creator = asset.content.countedCreator else { return }
        add(asset.bytes, .creator, creator.value.bytes, place.zone, in: place.container)
    }

    mutating func note(counted row: CheckedRow) throws {
        guard let kind = ByteChanges.Count.Kind(rawValue: try row.integer("kind")) else { throw StorageError(.corrupt) }
        let bytes = try Int(truncatingIfNeeded: row.integer("bytes"))
        try add(0 &- bytes, kind, row.bytes("owner"), row.integer("zone"), in: row.integer("container_id"))
    }

    private mutating func add(
        _ bytes: Int,
        _ kind: ByteChanges.Count.Kind,
        _ owner: [UInt8],
        _ zone: Int64,
        in container: Int64
    ) {
        // The seed of Hasher is random in each process.
        var hasher = Hasher()
        hasher.combine(container)
        hasher.combine(kind)
        hasher.combine(owner)
        hasher.combine(zone)
        difference &+= bytes &* (hasher.finalize() | 1)
    }
}
