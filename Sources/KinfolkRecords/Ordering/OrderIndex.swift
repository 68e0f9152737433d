import KinfolkCore
package import KinfolkModel
package import KinfolkStorage

/// Keeps the SORTABLE indexes of one database in line with its records, in the transactions that change these.
package struct OrderIndex {
    private let place: RecordPlace
    private let db: Connection

    package init(_ place: RecordPlace, _ db: Connection) {
        self.place = place
        self.db = db
    }

    /// What the entries of a record follow from: its content, and the indexes of its type.
    package struct Source {
        fileprivate let content: RecordContent
        fileprivate let type: TypeDefinition

        /// Nil for a record that does not exist.
        package init?(_ content: RecordContent?, _ type: TypeDefinition) {
            guard let content else { return nil }
            self.content = content
            self.type = type
        }

        package init(_ content: RecordContent, _ type: TypeDefinition) {
            self.content = content
            self.type = type
        }

        fileprivate func scopes(_ presence: IndexPresence, in place: RecordPlace) -> [IndexScope] {
            IndexScope.all(of: content, type, presence, in: place)
        }

        /// The number of a field in which the record has an entry, with the value; nil for other fields.
        fileprivate func value(of name: String, _ presence: IndexPresence) -> Value? {
            guard let field = type.fields[name], field.has(.sortable, presence),
                let value = content.fields[name].flatMap(OrderValue.init)
            else { return nil }
            return Value(field: field.number, value: value)
        }
    }

    fileprivate struct Value: Equatable {
        let field: Int64
        let value: OrderValue
    }

    /// Updates the entries of a record whose row has been written. Entries of values that did not change are not touched.
    ///
    /// - Parameters:
    ///   - old: What the present entries follow from; nil for a new record.
    ///   - new: What is in the store now; nil for a deleted record. A type with other indexes changes the entries too.
    package func update(_ number: Int64, from old: Source?, to new: Source?) throws {
        // User records are never queried.
        guard let type = (new ?? old)?.type, type.number != 0 else { return }
        let removed = old?.content.fields.names.filter { new?.content.fields[$0] == nil } ?? []
        let names = (new?.content.fields.names ?? []) + removed
        for change in changes(from: old, to: new) {
            let (old, new, scope) = (change.old, change.new, change.scope)
            func list(_ field: Int64) -> OrderTable.List { OrderTable.List(of: field, ofType: type.number, in: scope) }
            for name in names {
                let (before, after) = (old?.value(of: name, .possible), new?.value(of: name, .wanted))
                let isPresent = change.isCertain && old?.value(of: name, .certain) != nil
                guard before != after || before != nil && !isPresent else { continue }
                if let before { try OrderTable.delete(number, from: list(before.field), db) }
                if let after, let new {
                    try insert(number, new.content, name, in: list(after.field))
                }
            }
        }
    }

    private struct Change {
        var old: Source?
        var new: Source?
        let scope: IndexScope
        /// Whether the record certainly has its entries of complete indexes in this scope.
        var isCertain = false
    }

    /// What changes in each scope of a record.
    private func changes(from old: Source?, to new: Source?) -> [Change] {
        var changes: [IndexScope.Key: Change] = [:]
        for scope in old?.scopes(.possible, in: place) ?? [] { changes[scope.key] = Change(old: old, scope: scope) }
        for scope in old?.scopes(.certain, in: place) ?? [] { changes[scope.key]?.isCertain = true }
        for scope in new?.scopes(.wanted, in: place) ?? [] {
            changes[scope.key, default: Change(scope: scope)].new = new
        }
        return changes.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The names of the fields in which a record has an entry.
    package static func fields(
        of content: RecordContent,
        _ type: TypeDefinition,
        _ presence: IndexPresence
    ) -> [String] {
        guard type.number != 0 else { return [] }
        let source = Source(content, type)
        return content.fields.names.filter { source.value(of: $0, presence) != nil }
    }

    private func insert(_ number: Int64, _ content: RecordContent, _ name: String, in list: OrderTable.List) throws {
        guard let key = OrderKey(of: content, number: number, in: name) else { return }
        var search = OrderSearch(key, name, list, db)
        try search.run()
        let (lower, upper) = (search.lower, search.upper)
        let place = try OrderPositions.place(after: lower, before: upper) { limit in
            OrderPositions.Neighbours(
                below: try lower.map { try OrderTable.entries(before: $0 + 1, of: list, limit: limit, db) }?.map(
                    \.position
                ) ?? [],
                above: try upper.map { try OrderTable.entries(after: $0 - 1, of: list, limit: limit, db) }?.map(
                    \.position
                ) ?? []
            )
        }
        try OrderTable.run(place.moves, in: list, db)
        try OrderTable.insert(OrderTable.Entry(position: place.position, number: number), in: list, db)
    }
}
