extension Table {
    /// The row of another table to which a row belongs.
    package struct Owner: Sendable {
        package let table: String
        package let columns: [(own: String, owners: String)]
        /// A further condition, in SQL, that the row `t` and its owner `p` meet.
        package let condition: String?
        /// Whether a row can be there without this owner.
        package let isOptional: Bool

        package init(
            _ table: String,
            by columns: [(own: String, owners: String)],
            where condition: String? = nil,
            isOptional: Bool = false
        ) {
            self.table = table
            self.columns = columns
            self.condition = condition
            self.isOptional = isOptional
        }

        package init(_ table: String, by columns: String..., where condition: String? = nil) {
            self.init(table, by: columns.map { ($0, $0) }, where: condition)
        }
    }
}

extension Table.Owner {
    /// The account with the ID in this column.
    package static func account(_ column: String = "account_id") -> Table.Owner {
        Table.Owner("accounts", by: [(column, "account_id")])
    }

    /// The user with the record ID in this column, in the row's container.
    package static let user = Table.Owner("users", by: "container_id", "record_id")

    /// Like ``user``, but the row may exist without that user.
    package static let optionalUser = Table.Owner(
        "users",
        by: [("container_id", "container_id"), ("record_id", "record_id")],
        isOptional: true
    )

    /// The row's container, which is in use or being deleted.
    package static let container = Table.Owner("containers", by: "container_id", where: "p.state <> 2")
}

extension Table {
    /// Whether the rows belong to a container.
    package var isOfContainer: Bool { owners.contains { $0.table == "containers" } }

    /// Whether the rows belong to a person: to an account, directly or through another table.
    package func isOfPerson(_ tables: [Table]) -> Bool { !conditions(ofAccount: tables).isEmpty }

    /// The condition, in SQL, that the row `t` has all owners without which it cannot be there. Nil if there are none.
    package var hasOwners: String? {
        let conditions = owners.filter { !$0.isOptional }.map { owner in
            let columns = owner.columns.map { "p.\($0.owners) = t.\($0.own)" }
            let all = columns + (owner.condition.map { ["(\($0))"] } ?? [])
            return "EXISTS (SELECT 1 FROM \(owner.table) p WHERE \(all.joined(separator: " AND ")))"
        }
        return conditions.isEmpty ? nil : conditions.joined(separator: " AND ")
    }

    /// The conditions, in SQL, each for some of the rows of the account with the ID `$1`. Empty if the table has no such rows.
    ///
    /// A column that names the account is used if there is one, so that a row is found even if a row between it and the account is
    /// missing.
    package func conditions(ofAccount tables: [Table]) -> [String] {
        let direct = owners.filter { $0.table == "accounts" }.flatMap { $0.columns.map { "\($0.own) = $1" } }
        guard direct.isEmpty else { return direct }
        if name == "accounts" { return ["account_id = $1"] }
        for owner in owners {
            guard let table = tables.first(where: { $0.name == owner.table }) else { continue }
            let conditions = table.conditions(ofAccount: tables)
            guard !conditions.isEmpty else { continue }
            let own = owner.columns.map(\.own).joined(separator: ", ")
            let owners = owner.columns.map(\.owners).joined(separator: ", ")
            return conditions.map { "(\(own)) IN (SELECT \(owners) FROM \(table.name) WHERE \($0))" }
        }
        return []
    }

    /// The condition, in SQL, for the rows of one person in one container, and which of the person's IDs is `$2`; `$1` is the
    /// container. Nil if the table has no such rows.
    package var conditionOfUser: (sql: String, id: UserKey)? {
        guard isOfContainer else { return nil }
        if let owner = owners.first(where: { $0.table == "accounts" }), let column = owner.columns.first {
            return ("container_id = $1 AND \(column.own) = $2", .account)
        }
        if let owner = owners.first(where: { $0.table == "users" }), let column = owner.columns.last {
            return ("container_id = $1 AND \(column.own) = $2", .record)
        }
        return nil
    }

    /// One of the IDs of a person in a container.
    package enum UserKey: Sendable { case account, record }

    /// The statement, in SQL, that removes the rows with this condition, or what they hold of their owner.
    package func removal(where condition: String) -> String {
        switch disposal {
        case .deletion: return "DELETE FROM \(name) WHERE \(condition)"
        case .clearing(let columns):
            let values = columns.map { "\($0) = NULL" }.joined(separator: ", ")
            return "UPDATE \(name) SET \(values) WHERE \(condition)"
        }
    }
}
