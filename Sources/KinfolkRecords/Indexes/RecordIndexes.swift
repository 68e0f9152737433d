package import KinfolkModel
package import KinfolkStorage

/// Keeps all index entries in line with the records, in the transactions that change these.
///
/// Used for one transaction, which ends with ``finish()``.
package final class RecordIndexes {
    /// What the entries of a record follow from.
    package struct Source {
        fileprivate let content: RecordContent
        /// The record type with its indexes; nil if the schema lost it.
        fileprivate let type: TypeDefinition?
        /// Under which of the container's keys the tags are.
        fileprivate let epoch: Int

        /// A record as it is in the store.
        package init(_ row: RecordRow, _ type: TypeDefinition?) {
            (content, self.type, epoch) = (row.content, type, row.epoch)
        }

        /// A record that is written under the newest key.
        package init(_ content: RecordContent, _ type: TypeDefinition?) {
            (self.content, self.type, epoch) = (content, type, 0)
        }

        fileprivate var ofOrder: OrderIndex.Source? { type.map { OrderIndex.Source(content, $0) } }
        fileprivate var ofWords: WordChanges.Source? { type.map { WordChanges.Source(content: content, type: $0) } }
    }

    private let db: Connection
    private var words = WordChanges()

    package init(_ db: Connection) { self.db = db }

    /// Writes what is collected for several records.
    package func finish() throws { try words.write(db) }

    /// Makes the entries that a record lacks, and deletes those that it should not have. While an index is being built or removed, this
    /// completes the work for this record.
    ///
    /// - Parameters:
    ///   - old: What its entries follow from so far; nil for a new record.
    ///   - new: What is in the store now; nil for a deleted record.
    package func change(_ number: Int64, from old: Source?, to new: Source?, in place: RecordPlace) throws {
        try change(
            from: old,
            to: new,
            { IndexEntry.all(of: $0.content, $0.type, $1, epoch: $0.epoch, in: place) },
            delete: { try IndexTable.delete($0, of: number, in: place.container, db) },
            insert: { try IndexTable.insert($0, of: number, in: place.container, db) }
        )
        try change(
            from: old,
            to: new,
            { CellEntry.all(of: $0.content, $0.type, $1, epoch: $0.epoch, in: place) },
            delete: { try CellTable.delete($0, of: number, in: place, db) },
            insert: { try CellTable.insert($0, of: number, in: place, db) }
        )
        if let old, old.type == nil {
            try OrderTable.delete(number, in: IndexScope(of: place), db)
        } else {
            try OrderIndex(place, db).update(number, from: old?.ofOrder, to: new?.ofOrder)
        }
        try words.note(number, from: old?.ofWords, to: new?.ofWords, in: place)
        if words.areMany { try words.write(db) }
    }

    private func change<Entry: Hashable>(
        from old: Source?,
        to new: Source?,
        _ entries: (Source, IndexPresence) -> Set<Entry>,
        delete: (Set<Entry>) throws -> Void,
        insert: (Set<Entry>) throws -> Void
    ) throws {
        let possible = old.map { entries($0, .possible) } ?? []
        // Nearly always, no index is being built or removed.
        let certain = old?.type?.isSettled ?? true ? possible : old.map { entries($0, .certain) } ?? []
        let wanted = new.map { entries($0, .wanted) } ?? []
        try delete(possible.subtracting(wanted))
        try insert(wanted.subtracting(certain))
    }
}
