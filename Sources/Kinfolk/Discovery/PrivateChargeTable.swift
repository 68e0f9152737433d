import KinfolkStorage

/// The table of what people asked of private directories: how many contacts in the present epoch, and how many of those of
/// the epoch before they have not asked about again yet, which is free.
enum PrivateChargeTable {
    struct Charge: Equatable {
        let epoch: UInt32
        let charged: Int
        let granted: Int

        /// After asking about `count` contacts in an epoch, and how many of them cost a permit.
        ///
        /// A new epoch grants back all that was ever paid for. Who goes back to an older one has no grant there.
        func asking(_ count: Int, in epoch: UInt32) -> (charge: Charge, permits: Int) {
            guard epoch >= self.epoch else { return (self, count) }
            let isNew = epoch > self.epoch
            let free = granted + (isNew ? charged : 0)
            let permits = max(0, count - free)
            let now = Charge(epoch: epoch, charged: (isNew ? 0 : charged) + count, granted: free - (count - permits))
            return (now, permits)
        }
    }

    /// What a person has asked; zeros if nothing.
    static func charge(of account: AccountID, in container: Int64, _ db: Connection) throws -> Charge {
        try find(of: account, in: container, db) ?? Charge(epoch: 0, charged: 0, granted: 0)
    }

    static func find(of account: AccountID, in container: Int64, _ db: Connection) throws -> Charge? {
        try db.first(
            "SELECT epoch, charged, granted FROM private_charges WHERE account_id = $1 AND container_id = $2",
            .id(account.value),
            .integer(container)
        ) { row in
            Charge(
                epoch: UInt32(clamping: row.integer(0)),
                // Of a file that was written from outside they may be anything.
                charged: Int(min(max(row.integer(1), 0), 1 << 40)),
                granted: Int(min(max(row.integer(2), 0), 1 << 40))
            )
        }
    }

    static func set(_ charge: Charge, of account: AccountID, in container: Int64, _ db: Connection) throws {
        try db.execute(
            """
            INSERT INTO private_charges (account_id, container_id, epoch, charged, granted) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (account_id, container_id) DO UPDATE
            SET epoch = excluded.epoch, charged = excluded.charged, granted = excluded.granted
            """,
            .id(account.value),
            .integer(container),
            .integer(Int64(charge.epoch)),
            .integer(Int64(charge.charged)),
            .integer(Int64(charge.granted))
        )
    }
}
