import KinfolkCrypto
import KinfolkModel
package import KinfolkStorage

/// A column of sealed values, with what is needed to open them.
package struct SealedColumn: Sendable {
    package let table: String
    package let name: String
    /// Whether the values are sealed under the keys of the row's container, and not under those of the store.
    package let isOfContainer: Bool
    /// Whether this column opens its values. Those of zones are opened by the code of zones.
    private let canOpen: Bool
    private let parts: [Table.PlacePart]
    private let rows: TableRows
    private let positions: [String: Int]

    /// A value of the column: where it is and its key.
    private struct Found {
        let key: [Value]
        let place: SealedPlace
        let sealing: SealingKeys
        let sealed: [UInt8]
    }

    fileprivate init?(_ column: Table.Column, of table: Table, _ description: TableDescription) {
        guard case .sealed(let keys, let parts) = column.content else { return nil }
        switch keys {
        case .store: isOfContainer = false
        case .container, .zone: isOfContainer = true
        case .service, .epoch, .directory, .lasting, .asset: return nil
        }
        if case .zone = keys { canOpen = false } else { canOpen = true }
        self.table = table.name
        self.parts = parts
        name = column.name
        rows = TableRows(description)
        positions = Dictionary(description.columns.enumerated().map { ($1.name, $0) }) { first, _ in first }
    }

    // MARK: Rotation

    /// The most bytes that a batch seals, apart from its last value.
    private static let batchLength = 4 << 20

    /// Seals values again under the newest keys that are sealed under older ones.
    ///
    /// - Parameters:
    ///   - above: The key of the last row of the previous batch; nil for the first batch.
    ///   - limit: The number of rows to read.
    /// - Returns: The key of the last row; nil if there are no more.
    package func reseal(above: [Value]?, limit: Int, _ keys: KeyRing, _ db: Connection) throws -> [Value]? {
        var (last, count, length, found): ([Value]?, Int, Int, [Found]) = (above, 0, 0, [])
        var isFull = false
        try rows.forEach(in: TableRows.KeyRange(above: above, through: nil), limit: limit, db) { row in
            isFull = isFull || length > SealedColumn.batchLength
            guard !isFull else { return }
            count += 1
            let key = rows.key(of: row)
            // In a damaged index, the pages could form an endless cycle.
            guard try last.map({ try TableRows.precedes($0, key) }) ?? true else { throw StorageError(.corrupt) }
            last = key
            let value = try value(of: row) { try sealing(of: $0, keys, db) }
            if let value, !value.sealed.isEmpty, !value.sealing.isNewest(value.sealed) {
                found.append(value)
                length += value.sealed.count
            }
        }
        let key = rows.table.key.enumerated().map { "\(rows.table.columns[$1].name) = $\($0 + 2)" }
        let update = "UPDATE \(table) SET \(name) = $1 WHERE \(key.joined(separator: " AND "))"
        for value in found {
            var bytes = try value.sealing.open(value.sealed, at: value.place)
            defer { bytes.withUnsafeMutableBytes(wipe) }
            let sealed = try value.sealing.seal(bytes, at: value.place)
            try db.execute(composed: update, [.bytes(sealed)] + value.key)
        }
        return isFull || count == limit ? last : nil
    }

    /// Throws unless all values are sealed under the newest keys.
    package func requireNewest(_ keys: KeyRing, containers: [Int64], _ db: Connection) throws {
        let ids = "SELECT DISTINCT substr(\(name), 1, 4) FROM \(table) WHERE length(\(name)) > 0"
        func require(_ sealing: SealingKeys, _ sql: String, _ values: [Value]) throws {
            try db.using(composed: sql, values) { row in
                while try row.step() {
                    guard row.bytes(0) == sealing.newestID else { throw isOld }
                }
            }
        }
        guard isOfContainer else { return try require(keys.sealing, ids, []) }
        for container in containers {
            try require(keys.container(container, db).sealing, ids + " AND container_id = $1", [.integer(container)])
        }
    }

    private var isOld: KinfolkError {
        KinfolkError(
            .storeCorrupt,
            "A row of the table \(table) has no owner and is still sealed under the old keys, so the old keys were kept."
        )
    }

    // MARK: Checking

    /// Throws unless the row's value can be opened. The row has all columns of the table, in order.
    ///
    /// - Parameter containerKeys: The keys of a container; nil if its values cannot be checked.
    package func check(
        _ row: any Statement,
        _ keys: KeyRing,
        containerKeys: (Int64) throws -> ContainerKeys?
    ) throws {
        let value = try value(of: row) { container in
            guard let container else { return keys.sealing }
            return try containerKeys(container)?.sealing
        }
        guard let value else { return }
        var bytes = try value.sealing.open(value.sealed, at: value.place)
        bytes.withUnsafeMutableBytes(wipe)
    }

    /// The value in a row; nil if there is none, or if `sealing` has no keys for the row's container.
    private func value(of row: any Statement, sealing: (Int64?) throws -> SealingKeys?) throws -> Found? {
        guard let position = positions[name], let container = positions[isOfContainer ? "container_id" : name] else {
            throw StorageError(.misuse)
        }
        guard canOpen, !row.isNull(Int32(position)),
            let sealing = try sealing(isOfContainer ? row.integer(Int32(container)) : nil)
        else { return nil }
        let parts = try parts.compactMap { part throws -> SealedPlace.Part? in
            guard let position = positions[part.column].map(Int32.init) else { throw StorageError(.misuse) }
            switch part.form {
            case .number: return .number(row.integer(position))
            case .numberUnlessZero: return row.integer(position) == 0 ? nil : .number(row.integer(position))
            case .bytes: return .bytes(row.bytes(position))
            case .presence: return .bytes([row.bytes(inPlace: position).isEmpty ? 0 : 1])
            case .tag:
                guard let tag = row.withBytes(position, Tag.init) else { throw StorageError(.corrupt) }
                return .tag(tag)
            }
        }
        let place = SealedPlace(table: table, column: name, row: parts)
        return Found(key: rows.key(of: row), place: place, sealing: sealing, sealed: row.bytes(Int32(position)))
    }

    /// The keys of the store, or of a container; nil if there is no such container.
    private func sealing(of container: Int64?, _ keys: KeyRing, _ db: Connection) throws -> SealingKeys? {
        guard let container else { return keys.sealing }
        do { return try keys.container(container, db).sealing } catch let error as KinfolkError {
            guard error.code == .unknownItem else { throw error }
            return nil
        }
    }
}

extension Table {
    /// The columns that are sealed under keys of the store or of a container.
    package func sealedColumns(_ description: TableDescription) -> [SealedColumn] {
        columns.compactMap { SealedColumn($0, of: self, description) }
    }
}
