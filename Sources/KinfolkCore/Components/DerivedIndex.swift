package import KinfolkStorage

/// Rows that are derived from other rows, and kept right by the transactions that change these.
///
/// The target that owns the source calls ``Service/updateIndexes(after:_:)`` in the transaction of each change. A target above it
/// registers an index in its ``Component``, and so the source need not know who derives rows from it.
package struct DerivedIndex<Change>: Sendable {
    /// Brings the derived rows in line with a change. If it throws, nothing of the transaction is written.
    package let update: @Sendable (Change, Service, Connection) throws -> Void

    package init(of change: Change.Type, update: @escaping @Sendable (Change, Service, Connection) throws -> Void) {
        self.update = update
    }
}

extension Service {
    /// Updates all indexes that are derived from what changed.
    package func updateIndexes<Change>(after change: Change, _ db: Connection) throws {
        for component in components {
            for case let index as DerivedIndex<Change> in component.indexes { try index.update(change, self, db) }
        }
    }
}
