import KinfolkCrypto
import KinfolkModel
import KinfolkStorage

/// What one transaction knows of the sources of the records that it deletes, and how many refer to those to which it adds references. It
/// is read before the first change, so that a server answers it with other queries, and follows the changes of the transaction.
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

    /// A record that may be deleted.
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
    /// How many records refer through `deleteSelf` to those to which references are added.
    private var counts: [RecordID: Int] = [:]
    private let db: Connection

    init(_ db: Connection) { self.db = db }

    static func links(of content: RecordContent, in zone: String) -> Set<Link> {
        Set(content.targets.map { Link(target: RecordID(valid: $0.name, zone: zone), kind: $0.kind) })
    }

    // MARK: Reading

    /// Prefetches what ``readSources(of:in:)`` reads.
    static func askForSources(of id: RecordID, in place: RecordPlace, _ db: Connection) throws {
        for tag in RecordCascade.tags(of: id.name, in: place) {
            _ = try sources(of: tag, in: place, db)
            _ = try isNeeded(tag, in: place, db)
        }
    }

    /// Prefetches what ``readCount(of:in:)`` reads.
    static func askForCount(of id: RecordID, in place: RecordPlace, _ db: Connection) throws {
        for tag in RecordCascade.tags(of: id.name, in: place) { _ = try count(of: tag, in: place, db) }
    }

    /// Whether something was read that changes with the records.
    var isInUse: Bool { !targets.isEmpty || !counts.isEmpty }

    /// How many sources were read.
    var sourceCount: Int { targets.values.reduce(0) { $0 + $1.sources.count } }

    /// Reads how many records refer to one through `deleteSelf`.
    mutating func readCount(of id: RecordID, in place: RecordPlace) throws {
        guard counts[id] == nil else { return }
        counts[id] = try RecordCascade.tags(of: id.name, in: place).reduce(0) { sum, tag in
            try sum + ReferenceChanges.count(of: tag, in: place, db)
        }
    }

    /// Reads the sources of a record that may be deleted.
    mutating func readSources(of id: RecordID, in place: RecordPlace) throws {
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

    private static func count(of tag: Tag, in place: RecordPlace, _ db: Connection) throws -> Int {
        try ReferenceTable.deletedSourceCount(of: tag, limit: maximumSources, in: place, db)
    }

    private static func isNeeded(_ tag: Tag, in place: RecordPlace, _ db: Connection) throws -> Bool {
        try !ReferenceTable.sources(of: tag, .validate, limit: 1, in: place, db).isEmpty
    }

    // MARK: Changes

    /// Throws if a record cannot refer to another one through `deleteSelf`, because too many do.
    mutating func requireRoom(for link: Link, in place: RecordPlace) throws {
        guard link.kind == .deleteSelf else { return }
        try readCount(of: link.target, in: place)
        guard counts[link.target] ?? 0 < ReferenceChanges.maximumSources else {
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
            counts[link.target]? -= 1
        }
        for link in after.subtracting(before) {
            switch link.kind {
            case .parent: break
            case .deleteSelf:
                targets[link.target]?.numbers.insert(number)
                targets[link.target]?.hasMore = true
                counts[link.target]? += 1
            case .validate: targets[link.target]?.mayBeNeeded = true
            }
        }
    }

    static var tooManyTargets: KinfolkError {
        KinfolkError(
            .limitExceeded,
            "A record has at most \(maximumTargets) references with deleteSelf or validate."
        )
    }

    /// The records that are deleted with one, and whether another one needs one of them.
    ///
    /// - Parameter limit: The maximum number of these records, with the one.
    /// - Throws: ``KinfolkError/Code/limitExceeded`` if they are too many.
    mutating func cascade(
        of row: RecordRow,
        _ id: RecordID,
        limit: Int,
        in place: RecordPlace
    ) throws -> (records: RecordCascade, isNeeded: Bool) {
        try readSources(of: id, in: place)
        guard let target = targets[id], let first = RecordCascade.member(row, in: place) else {
            throw KinfolkError(.internalError, "The sources of a record were not read.")
        }
        let cascade = try RecordCascade(
            of: [first],
            sources: target.hasMore ? nil : target.sources.filter { target.numbers.contains($0.number) },
            limit: limit,
            in: place,
            db
        )
        let isNeeded = try (target.mayBeNeeded || cascade.members.count > 1) && cascade.isNeeded()
        return (cascade, isNeeded)
    }
}
