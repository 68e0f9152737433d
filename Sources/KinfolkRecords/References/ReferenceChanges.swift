import KinfolkCrypto
import KinfolkModel
import KinfolkStorage

/// What one transaction knows of the sources of the records that it deletes, and of those to which it adds references. It is read before
/// the first change, so that a server answers it with other queries, and follows the changes of the transaction.
struct ReferenceChanges {
    /// The maximum number of records that refer to one record through `deleteSelf`.
    static let maximumSources = 750
    /// The maximum number of records to which one record refers through `deleteSelf` or `validate`.
    static let maximumTargets = 750

    /// A target of a record.
    struct Link: Hashable {
        let target: RecordID
        let kind: BackReference.Kind
    }

    private struct Target {
        /// The records that refer to it through `deleteSelf`, as they were before the first change.
        let sources: [ReferenceTable.Source]
        /// The numbers of those that do so now.
        var numbers: Set<Int64>
        /// Whether this transaction has added some.
        var hasMore = false
        /// Whether a record may need it through `validate`.
        var mayBeNeeded: Bool
    }

    private var targets: [RecordID: Target] = [:]
    private let db: Connection

    init(_ db: Connection) { self.db = db }

    static func links(of content: RecordContent, in zone: String) -> Set<Link> {
        Set(content.targets.map { Link(target: RecordID(valid: $0.name, zone: zone), kind: $0.kind) })
    }

    // MARK: Reading

    /// Prefetches what ``read(_:in:)`` reads.
    static func askAhead(_ id: RecordID, in place: RecordPlace, _ db: Connection) throws {
        for tag in RecordCascade.tags(of: id.name, in: place) {
            _ = try sources(of: tag, in: place, db)
            _ = try isNeeded(tag, in: place, db)
        }
    }

    /// Reads the sources of a record.
    mutating func read(_ id: RecordID, in place: RecordPlace) throws {
        guard targets[id] == nil else { return }
        let tags = RecordCascade.tags(of: id.name, in: place)
        let sources = try tags.flatMap { try ReferenceChanges.sources(of: $0, in: place, db) }
        targets[id] = Target(
            sources: sources,
            numbers: Set(sources.map(\.number)),
            mayBeNeeded: try tags.contains { try ReferenceChanges.isNeeded($0, in: place, db) }
        )
    }

    private static func sources(
        of tag: Tag,
        in place: RecordPlace,
        _ db: Connection
    ) throws -> [ReferenceTable.Source] {
        try ReferenceTable.sources(of: tag, .deleteSelf, limit: maximumSources + 1, in: place, db)
    }

    private static func isNeeded(_ tag: Tag, in place: RecordPlace, _ db: Connection) throws -> Bool {
        try !ReferenceTable.sources(of: tag, .validate, limit: 1, in: place, db).isEmpty
    }

    // MARK: Changes

    /// Throws if a record cannot refer to another one through `deleteSelf`, because too many do.
    mutating func requireRoom(for link: Link, in place: RecordPlace) throws {
        guard link.kind == .deleteSelf else { return }
        try read(link.target, in: place)
        guard targets[link.target]?.numbers.count ?? 0 < ReferenceChanges.maximumSources else {
            throw KinfolkError(
                .limitExceeded,
                "At most \(ReferenceChanges.maximumSources) records refer to one record with the action deleteSelf."
            )
        }
    }

    /// Notes that a record was saved or deleted.
    mutating func note(_ number: Int64, from before: Set<Link>, to after: Set<Link>) {
        for link in before.subtracting(after) where link.kind == .deleteSelf {
            targets[link.target]?.numbers.remove(number)
        }
        for link in after.subtracting(before) {
            switch link.kind {
            case .parent: break
            case .deleteSelf:
                targets[link.target]?.numbers.insert(number)
                targets[link.target]?.hasMore = true
            case .validate: targets[link.target]?.mayBeNeeded = true
            }
        }
    }

    /// The records that are deleted with one, and whether another one needs one of them.
    ///
    /// - Throws: ``KinfolkError/Code/limitExceeded`` if they are too many.
    mutating func cascade(
        of row: RecordRow,
        _ id: RecordID,
        in place: RecordPlace
    ) throws -> (records: RecordCascade, isNeeded: Bool) {
        try read(id, in: place)
        guard let target = targets[id], let first = RecordCascade.member(row, in: place) else {
            throw KinfolkError(.internalError, "The sources of a record were not read.")
        }
        let cascade = try RecordCascade(
            of: [first],
            sources: target.hasMore ? nil : target.sources.filter { target.numbers.contains($0.number) },
            limit: RecordCascade.maximumCount,
            in: place,
            db
        )
        let isNeeded = try (target.mayBeNeeded || cascade.members.count > 1) && cascade.isNeeded()
        return (cascade, isNeeded)
    }
}
