import KinfolkCrypto
import KinfolkStorage

/// The table of a container's directories: the one of contact hashes, which is epoch 0, and the private ones.
enum DirectoriesTable {
    enum State: Int64 {
        /// Everybody who can be found is in it.
        case complete = 0
        /// People are being put in, in the order of their account IDs.
        case building = 1
        /// Rows are being taken out.
        case ending = 2
        /// It has no rows any more; its key tells what was paid for in it.
        case ended = 3
        /// It has no rows yet; its public key is shown before it answers.
        case announced = 4
    }

    struct Row {
        let epoch: UInt32
        let state: State
        /// The account up to which people were put in.
        let position: [UInt8]
        let sealedSeed: [UInt8]
        let publicKey: [UInt8]
        let prefixBits: PrefixBits
        /// The epoch of the store's keys to which its seed belongs.
        let keyEpoch: Int64

        /// Whether it answers no more, and renews what was paid for in it.
        var isReceipt: Bool { epoch > 0 && (state == .ended || state == .ending) && !sealedSeed.isEmpty }
    }

    /// A public key that the table holds, as long as those who are given it expect.
    static func checked(publicKey: [UInt8]) throws -> [UInt8] {
        guard publicKey.count == OPRF.elementLength else { throw StorageError(.corrupt) }
        return publicKey
    }

    /// All of them, newest epoch first.
    static func all(of container: Int64, _ db: Connection) throws -> [Row] {
        try db.all(
            """
            SELECT epoch, state, position, sealed_seed, public_key, prefix_bits, key_epoch FROM directories
            WHERE container_id = $1 ORDER BY epoch DESC
            """,
            .integer(container)
        ) { row in
            guard let epoch = UInt32(exactly: row.integer(0)) else { throw StorageError(.corrupt) }
            // People can leave a damaged directory: what is not needed for that is taken for something that is allowed.
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

    static func row(_ epoch: UInt32, of container: Int64, _ db: Connection) throws -> Row? {
        try all(of: container, db).first { $0.epoch == epoch }
    }

    static func insert(
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

    static func set(_ state: State, _ position: [UInt8], of epoch: UInt32, in container: Int64, _ db: Connection) throws
    {
        try db.execute(
            "UPDATE directories SET state = $3, position = $4 WHERE container_id = $1 AND epoch = $2",
            .integer(container),
            .integer(Int64(epoch)),
            .integer(state.rawValue),
            .bytes(position)
        )
    }

    static func set(_ bits: PrefixBits, of epoch: UInt32, in container: Int64, _ db: Connection) throws {
        try db.execute(
            "UPDATE directories SET prefix_bits = $3 WHERE container_id = $1 AND epoch = $2",
            .integer(container),
            .integer(Int64(epoch)),
            .integer(Int64(bits.count))
        )
    }

    static func setSealedSeed(_ sealed: [UInt8], of epoch: UInt32, in container: Int64, _ db: Connection) throws {
        try db.execute(
            "UPDATE directories SET sealed_seed = $3 WHERE container_id = $1 AND epoch = $2",
            .integer(container),
            .integer(Int64(epoch)),
            .bytes(sealed)
        )
    }

    /// Says that an epoch's seed belongs to other keys of the store from now on.
    static func setKeyEpoch(_ keyEpoch: Int64, of epoch: UInt32, in container: Int64, _ db: Connection) throws {
        try db.execute(
            "UPDATE directories SET key_epoch = $3 WHERE container_id = $1 AND epoch = $2",
            .integer(container),
            .integer(Int64(epoch)),
            .integer(keyEpoch)
        )
    }

    static func delete(_ epoch: UInt32, of container: Int64, _ db: Connection) throws {
        try DirectoryCountTable.delete(epoch, of: container, db)
        try db.execute(
            "DELETE FROM directories WHERE container_id = $1 AND epoch = $2",
            .integer(container),
            .integer(Int64(epoch))
        )
    }
}
