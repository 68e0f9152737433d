package import KinfolkCore
import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage

/// The table of the limits of containers. Each row has its own authentication code, so that nobody can change it without the key.
package enum ContainerLimitsTable {
    /// - Throws: ``KinfolkError/Code/storeCorrupt`` if the limits were edited without the key or are missing.
    package static func limits(of container: Int64, _ keys: KeyRing, _ db: Connection) throws -> ContainerLimits {
        guard let row = try stored(container, db) else {
            guard try ContainerTable.exists(container, db) else { throw Container.unknown }
            throw ContainerLimitsTable.corrupt
        }
        guard keys.isAuthentic(row.code, of: message(row.limits, of: container)) else {
            throw ContainerLimitsTable.corrupt
        }
        return row.limits
    }

    /// Prefetches what ``limits(of:_:_:)`` reads.
    package static func askAhead(_ container: Int64, _ db: Connection) throws { _ = try stored(container, db) }

    package static func set(_ limits: ContainerLimits, of container: Int64, _ keys: KeyRing, _ db: Connection) throws {
        func perDay(_ number: UInt64?) -> Value { number.map { .integer(Int64(clamping: $0)) } ?? .null }
        func quota(_ bytes: Int?) -> Value { bytes.map { .integer(Int64($0)) } ?? .null }
        // Clamped to the values that will be read back, so that the code matches them.
        var stored = limits
        stored.work = PrivateWorkLimit(
            multiplicationsPerDay: limits.work.multiplicationsPerDay.map { min($0, UInt64(Int64.max)) },
            rowsPerDay: limits.work.rowsPerDay.map { min($0, UInt64(Int64.max)) }
        )
        try db.execute(
            """
            INSERT INTO container_limits (container_id, permit_capacity, permit_millionths_per_hour, unverified_capacity,
                multiplications_per_day, rows_per_day, fields_per_person, code, quota_of_user, quota_of_public_database,
                quota_of_creator, quota_of_asset, quota_of_key_value_store)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
            ON CONFLICT (container_id) DO UPDATE
            SET permit_capacity = excluded.permit_capacity,
                permit_millionths_per_hour = excluded.permit_millionths_per_hour,
                unverified_capacity = excluded.unverified_capacity,
                multiplications_per_day = excluded.multiplications_per_day, rows_per_day = excluded.rows_per_day,
                fields_per_person = excluded.fields_per_person, code = excluded.code, quota_of_user = excluded.quota_of_user,
                quota_of_public_database = excluded.quota_of_public_database,
                quota_of_creator = excluded.quota_of_creator, quota_of_asset = excluded.quota_of_asset,
                quota_of_key_value_store = excluded.quota_of_key_value_store
            """,
            .integer(container),
            .integer(Int64(limits.permits.capacity)),
            .integer(ContainerLimits.millionths(limits.permits.perHour)),
            .integer(Int64(limits.permits.unverifiedCapacity)),
            perDay(limits.work.multiplicationsPerDay),
            perDay(limits.work.rowsPerDay),
            .integer(Int64(limits.fields)),
            .tag(keys.authenticationCode(of: message(stored, of: container))),
            quota(limits.quotas[.user]),
            quota(limits.quotas[.publicDatabase]),
            quota(limits.quotas[.creator]),
            limits.quotas[.asset] == Quotas.standard[.asset] ? .null : .integer(Int64(limits.quotas[.asset] ?? .max)),
            quota(limits.quotas[.keyValueStore])
        )
    }

    private static func stored(_ container: Int64, _ db: Connection) throws -> (limits: ContainerLimits, code: [UInt8])?
    {
        try db.first(
            """
            SELECT permit_capacity, permit_millionths_per_hour, unverified_capacity, multiplications_per_day,
                rows_per_day, fields_per_person, code, quota_of_user, quota_of_public_database, quota_of_creator,
                quota_of_asset, quota_of_key_value_store
            FROM container_limits WHERE container_id = $1
            """,
            .integer(container)
        ) { row in
            func perDay(_ column: Int32) -> UInt64? { row.isNull(column) ? nil : UInt64(clamping: row.integer(column)) }
            func quota(_ column: Int32) -> Int? { row.isNull(column) ? nil : Int(clamping: row.integer(column)) }
            var quotas = Quotas.standard
            quotas[.user] = quota(7)
            quotas[.publicDatabase] = quota(8)
            quotas[.creator] = quota(9)
            if let size = quota(10) { quotas[.asset] = size }
            quotas[.keyValueStore] = quota(11)
            let limits = ContainerLimits(
                permits: PermitLimit(
                    capacity: UInt32(clamping: row.integer(0)),
                    perHour: Double(row.integer(1)) / Double(Limit.unit),
                    unverifiedCapacity: UInt32(clamping: row.integer(2))
                ),
                work: PrivateWorkLimit(multiplicationsPerDay: perDay(3), rowsPerDay: perDay(4)),
                fields: UInt32(clamping: row.integer(5)),
                quotas: quotas
            )
            return (limits, row.bytes(6))
        }
    }

    private static func message(_ limits: ContainerLimits, of container: Int64) -> [UInt8] {
        // A missing number is encoded as 0, so that the encoding is unambiguous.
        func perDay(_ number: UInt64?) -> [UInt8] { number.map { [1] + bytes($0) } ?? [0] }
        return Array("container_limits".utf8) + bytes(container)
            + bytes(limits.permits.capacity) + bytes(ContainerLimits.millionths(limits.permits.perHour))
            + bytes(limits.permits.unverifiedCapacity)
            + perDay(limits.work.multiplicationsPerDay) + perDay(limits.work.rowsPerDay) + bytes(limits.fields)
            + quotas(limits.quotas)
    }

    /// Nothing for the standard quotas: version 0.1.0 had no others.
    private static func quotas(_ quotas: Quotas) -> [UInt8] {
        guard quotas != .standard else { return [] }
        return Quota.allCases.flatMap { quota in quotas[quota].map { [1] + bytes($0) } ?? [0] }
    }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian, Array.init)
    }

    package static var corrupt: KinfolkError {
        KinfolkError.damaged("The limits of the container were edited without the key.")
    }
}
