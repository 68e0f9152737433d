/// Deletes the rows of a table that belong to something, such as a zone, a limited number at a time, by their primary keys.
///
/// One statement with `IN (SELECT … LIMIT $1)` would read all of these rows each time on PostgreSQL, whose plan does not depend on the
/// value of the limit. Deleting up to a key would do so on SQLite, which compares only the first column of a row value by an index.
package struct RowDeletion: Sendable {
    private let selection: String
    private let deletion: String
    /// For keys that do not have the types of their columns. SQLite stores such values, too, if somebody edits the store.
    private let deletionOfAnyTypes: String
    private let key: [TableDescription.ColumnType]

    /// - Parameters:
    ///   - group: The columns by which the rows are found.
    ///   - key: The other columns of the primary key, in its order.
    ///   - isOrdered: Whether the primary key begins with the columns of the group, so that rows are read in its order.
    package init(
        _ table: String,
        of group: [String],
        by key: KeyValuePairs<String, TableDescription.ColumnType>,
        isOrdered: Bool = true
    ) {
        self.key = key.map(\.value)
        func condition(_ columns: [String]) -> String {
            columns.enumerated().map { "\($1) = $\($0 + 1)" }.joined(separator: " AND ")
        }
        let names = key.map(\.key)
        let list = names.joined(separator: ", ")
        let order = isOrdered ? " ORDER BY \(list)" : ""
        selection = "SELECT \(list) FROM \(table) WHERE \(condition(group))\(order) LIMIT $\(group.count + 1)"
        deletion = "DELETE FROM \(table) WHERE \(condition(group + names))"
        deletionOfAnyTypes = "DELETE FROM \(table) WHERE \(condition(group)) AND (\(list)) IN (\(selection))"
    }

    /// - Parameter group: The values of the columns by which the rows are found.
    /// - Returns: How many rows were deleted; fewer than `limit` if none are left.
    package func delete(atMost limit: Int, of group: [Value], _ db: Connection) throws -> Int {
        let count = Value.integer(Int64(limit))
        do {
            let keys = try db.using(composed: selection, group + [count]) { row in
                var keys: [[Value]] = []
                while try row.step() {
                    keys.append(key.enumerated().map { row.value(Int32($0), $1) })
                }
                return keys
            }
            return try db.changes(composed: deletion, for: keys) { group + $0 }
        } catch let error as StorageError where error.kind == .corrupt {
            return try db.changes(composed: deletionOfAnyTypes, for: [group]) { $0 + [count] }
        }
    }
}
