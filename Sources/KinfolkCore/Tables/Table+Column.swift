import KinfolkCrypto

extension Table {
    /// A column of a table, and what protects its values.
    package struct Column: Sendable {
        package let name: String
        package let content: Content
    }

    /// What a column holds.
    package enum Content: Sendable {
        /// Values that anybody with access to the store can read and change. Nothing that must be trusted depends on them.
        case open
        /// Values that can be read in the store, but not changed: a code or digest in this row, in the account's row or in another
        /// column covers them.
        case authenticated
        /// Keyed tags, by which a value is found that the store does not show.
        case tag(Keys)
        /// Authentication codes.
        case code(Keys)
        /// Digests and sealed values of other rows' keys, which are covered by a code.
        case digest
        /// Sealed values, bound to the table, the column and these columns of the row.
        case sealed(Keys, at: [PlacePart])
        /// Values of several kinds, by the name of the row.
        case various
    }

    /// The keys by which values are protected.
    package enum Keys: Sendable {
        /// The service key, or the root key of another epoch.
        case service
        /// The keys of the store's epoch.
        case store
        /// The keys of the epoch in the row, with which the row is deleted.
        case epoch
        /// The keys of the row's container.
        case container
        /// The keys of the row's zone, whose values begin with the IDs of the container's keys. Those of the container in a default
        /// zone.
        case zone
        /// The key of the row's asset, which is sealed in another table.
        case asset
        /// The keys of the row's private directory.
        case directory
        /// The lasting keys, which are kept after their epoch.
        case lasting
    }

    /// A column that is part of the place to which a sealed value is bound.
    package struct PlacePart: Sendable {
        enum Form { case number, numberUnlessZero, tag, bytes, presence }

        let column: String
        let form: Form

        package static func number(_ column: String) -> PlacePart { PlacePart(column: column, form: .number) }
        /// Not part of the place if it is 0.
        package static func numberUnlessZero(_ column: String) -> PlacePart {
            PlacePart(column: column, form: .numberUnlessZero)
        }
        /// 16 bytes: a tag or a random ID.
        package static func tag(_ column: String) -> PlacePart { PlacePart(column: column, form: .tag) }
        /// Bytes of any length.
        package static func bytes(_ column: String) -> PlacePart { PlacePart(column: column, form: .bytes) }
        /// A byte: 1 if the column holds bytes, 0 if it is empty.
        package static func presence(_ column: String) -> PlacePart { PlacePart(column: column, form: .presence) }
    }
}

extension Table.Column {
    package static func open(_ name: String) -> Table.Column { Table.Column(name: name, content: .open) }
    package static func authenticated(_ name: String) -> Table.Column {
        Table.Column(name: name, content: .authenticated)
    }
    package static func tag(_ name: String, _ keys: Table.Keys) -> Table.Column {
        Table.Column(name: name, content: .tag(keys))
    }
    package static func code(_ name: String, _ keys: Table.Keys) -> Table.Column {
        Table.Column(name: name, content: .code(keys))
    }
    package static func digest(_ name: String) -> Table.Column { Table.Column(name: name, content: .digest) }
    package static func sealed(_ name: String, _ keys: Table.Keys, at parts: Table.PlacePart...) -> Table.Column {
        Table.Column(name: name, content: .sealed(keys, at: parts))
    }
    package static func various(_ name: String) -> Table.Column { Table.Column(name: name, content: .various) }
}
