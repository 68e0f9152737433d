import KinfolkCrypto
package import KinfolkPrivateClient
package import KinfolkStorage

/// The table of a container's directories: the directory of contact hashes (epoch 0) and the private directories.
package enum DirectoryEpochTable {
    package enum State: Int64 {
        /// All people who can be found are in it.
        case complete = 0
        /// People are being added, in the order of their account IDs.
        case building = 1
        /// Rows are being deleted.
        case ending = 2
        /// Its rows are deleted. Its key is kept to verify which contacts were paid for in it.
        case ended = 3
        /// It has no rows yet. Its public key is published before it can be searched.
        case announced = 4
    }

    package struct Row {
        package let epoch: UInt32
        package let state: State
        /// The last account whose people were added.
        package let position: [UInt8]
        package let sealedSeed: [UInt8]
        package let publicKey: [UInt8]
        package let prefixBits: PrefixBits
        /// The epoch of the store's keys under which its seed is sealed.
        package let keyEpoch: Int64

        /// Whether it can no longer be searched, while its key still serves to renew what was paid for in it.
        var isReceipt: Bool { epoch > 0 && (state == .ended || state == .ending) && !sealedSeed.isEmpty }
    }

    /// Checks that a public key from the table has the expected length.
    package static func checked(publicKey: [UInt8]) throws -> [UInt8] {
        guard publicKey.count == OPRF.elementLength else { throw StorageError(.corrupt) }
        return publicKey
    }

    /// All of them, newest epoch first.
    package static func all(of container: Int64, _ db: Connection) throws -> [Row] {
        try db.all(
            """
            SELECT epoch, state, position, sealed_seed, public_key, prefix_bits, key_epoch FROM directories
            WHERE container_id = $1 ORDER BY epoch DESC
            """,
            .integer(container)
        ) { row in
            guard let epoch = UInt32(exactly: row.integer(0)) else { throw StorageError(.corrupt) }
            // A damaged directory must not keep people from leaving it, so invalid values that are not needed for that are
            // replaced by valid ones.
            return Row(
                epoch: epoch,
                state: State(rawValue: row.integer(1)) ?? .building,
                position: row.bytes(2),
                sealedSeed: row.bytes(3),
                publicKey: row.bytes(4),
                prefixBits: PrefixBits(clamping: Int(row.integer(5))),
                keyEpoch: row.integer(6)
            )
        }
    }

    package static func row(_ epoch: UInt32, of container: Int64, _ db: Connection) throws -> Row? {
        try all(of: container, db).first { $0.epoch == epoch }
    }

    package static func insert(
        _ epoch: UInt32,
        _ state: State,
        sealedSeed: [UInt8] = [],
        publicKey: [UInt8] = [],
        keyEpoch: Int64 = 0,
        in container: Int64,
        _ db: Connection
    ) throws {
        try db.execute(
            """
            INSERT INTO directories (container_id, epoch, state, sealed_seed, public_key, key_epoch)
            VALUES ($1, $2, $3, $4, $5, $6)
            """,
            .integer(container),
            .integer(Int64(epoch)),
            .integer(state.rawValue),
            .bytes(sealedSeed),
            .bytes(publicKey),
            .integer(keyEpoch)
        )
    }

    package static func set(
        _ state: State,
        _ position: [UInt8],
        of epoch: UInt32,
        in container: Int64,
        _ db: Connection
    ) throws {
        try db.execute(
            "UPDATE directories SET state = $3, position = $4 WHERE container_id = $1 AND epoch = $2",
            .integer(container),
            .integer(Int64(epoch)),
            .integer(state.rawValue),
            .bytes(position)
        )
    }

    package static func set(_ bits: PrefixBits, of epoch: UInt32, in container: Int64, _ db: Connection) throws {
        try db.execute(
            "UPDATE directories SET prefix_bits = $3 WHERE container_id = $1 AND epoch = $2",
            .integer(container),
            .integer(Int64(epoch)),
            .integer(Int64(bits.count))
        )
    }

    package static func setSealedSeed(_ sealed: [UInt8], of epoch: UInt32, in container: Int64, _ db: Connection) throws
    {
        try db.execute(
            "UPDATE directories SET sealed_seed = $3 WHERE container_id = $1 AND epoch = $2",
            .integer(container),
            .integer(Int64(epoch)),
            .bytes(sealed)
        )
    }

    /// Records that an epoch's seed now belongs to another epoch of the store's keys.
    static func setKeyEpoch(_ keyEpoch: Int64, of epoch: UInt32, in container: Int64, _ db: Connection) throws {
        try db.execute(
            "UPDATE directories SET key_epoch = $3 WHERE container_id = $1 AND epoch = $2",
            .integer(container),
            .integer(Int64(epoch)),
            .integer(keyEpoch)
        )
    }

    package static func delete(_ epoch: UInt32, of container: Int64, _ db: Connection) throws {
        try DirectoryCountTable.delete(epoch, of: container, db)
        try db.execute(
            "DELETE FROM directories WHERE container_id = $1 AND epoch = $2",
            .integer(container),
            .integer(Int64(epoch))
        )
    }
}
