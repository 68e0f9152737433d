import KinfolkCore
import KinfolkCrypto
import KinfolkModel
import KinfolkStorage

/// Records that are deleted together: some records, and all that refer to one of them through `deleteSelf`, to any depth.
struct RecordCascade {
    /// The maximum number of records that one call deletes.
    static let maximumCount = 10_000
    /// The maximum number of references through `deleteSelf` between the records of a cascade.
    private static let maximumReferences = 100_000
    /// How many records are read before they are deleted.
    private static let pageSize = 100
    /// The sources of how many records are looked up together. Each has at most ``ReferenceChanges/maximumSources``.
    private static let lookupSize = 1_000

    /// A record, and the tags of its name under all keys: a record that refers to it has the tag under its own key.
    struct Member {
        let number: Int64
        let tags: [Tag]
    }

    /// The records, the first ones before those that refer to them.
    private(set) var members: [Member]
    private let place: RecordPlace
    private let db: Connection

    /// Finds the records that are deleted with others, one level after the other.
    ///
    /// - Parameters:
    ///   - sources: The records that refer to the first ones, if they were read already.
    ///   - limit: The maximum number of records; nil for no limit, also of their references.
    /// - Throws: ``KinfolkError/Code/limitExceeded`` if there are more.
    init(
        of first: [Member],
        sources: [ReferenceTable.Source]? = nil,
        limit: Int?,
        in place: RecordPlace,
        _ db: Connection
    ) throws {
        (self.place, self.db) = (place, db)
        members = []
        var known: Set<Int64> = []
        var references = 0
        var level = first.filter { known.insert($0.number).inserted }
        guard known.count <= limit ?? .max else { throw RecordCascade.tooMany }
        var sources = sources
        while !level.isEmpty {
            members += level
            var new: [ReferenceTable.Source] = []
            for start in stride(from: 0, to: level.count, by: RecordCascade.lookupSize) {
                let part = level[start..<min(start + RecordCascade.lookupSize, level.count)]
                let found = try sources ?? RecordCascade.sources(of: part.flatMap(\.tags), in: place, db)
                references += found.count
                new += found.filter { known.insert($0.number).inserted }
                guard limit == nil || known.count <= limit ?? 0 && references <= RecordCascade.maximumReferences else {
                    throw RecordCascade.tooMany
                }
            }
            sources = nil
            level = try RecordCascade.members(new, in: place, db)
        }
    }

    /// The records that are deleted with those of these tags. A server answers all of it at once. It is asked for each tag, because for a
    /// list of tags it may read all references of the zone.
    private static func sources(
        of tags: [Tag],
        in place: RecordPlace,
        _ db: Connection
    ) throws -> [ReferenceTable.Source] {
        func sources() throws -> [ReferenceTable.Source] {
            try tags.flatMap { try ReferenceTable.sources(of: $0, .deleteSelf, limit: .max, in: place, db) }
        }
        try db.askAhead { _ = try sources() }
        return try sources()
    }

    private static var tooMany: KinfolkError {
        KinfolkError(
            .limitExceeded,
            "More than \(maximumCount) records would be deleted, or more than \(maximumReferences) references between them."
        )
    }

    /// The member for a record that was read.
    static func member(_ row: RecordRow, in place: RecordPlace) -> Member? {
        row.number.map { Member(number: $0, tags: tags(of: row.content.name, in: place)) }
    }

    static func tags(of name: String, in place: RecordPlace) -> [Tag] {
        place.tags.map { $0.name(name, zone: place.zone) }
    }

    /// While keys are rotated, the names must be read: a tag under one key does not show that under another.
    private static func members(
        _ sources: [ReferenceTable.Source],
        in place: RecordPlace,
        _ db: Connection
    ) throws -> [Member] {
        guard place.tags.count > 1 else { return sources.map { Member(number: $0.number, tags: [$0.tag]) } }
        var members: [Member] = []
        try forEach(sources.map(\.number), in: place, db) { number, row in
            // A record that cannot be read is found under the tag that its row has.
            let name = try? row()?.content.name
            let tag = sources[members.count].tag
            members.append(Member(number: number, tags: name.map { tags(of: $0, in: place) } ?? [tag]))
        }
        return members
    }

    /// Whether a record that is not deleted needs one of these through `validate`.
    func isNeeded() throws -> Bool {
        guard try ReferenceTable.isNeeded(anyOf: members.flatMap(\.tags), in: place, db) else { return false }
        let numbers = Set(members.map(\.number))
        for tag in members.lazy.flatMap(\.tags) {
            let limit = numbers.count + 1
            let sources = try ReferenceTable.sources(of: tag, .validate, limit: limit, in: place, db)
            guard sources.allSatisfy({ numbers.contains($0.number) }) else { return true }
        }
        return false
    }

    /// Calls `body` with the rows of records, which are read a page at a time.
    private static func forEach(
        _ numbers: [Int64],
        in place: RecordPlace,
        _ db: Connection,
        _ body: (Int64, () throws -> RecordRow?) throws -> Void
    ) throws {
        for start in stride(from: 0, to: numbers.count, by: pageSize) {
            let page = numbers[start..<min(start + pageSize, numbers.count)]
            try db.askAhead { for number in page { _ = try RecordTable.row(number: number, in: place, db) } }
            let rows = page.map { number in Result { try RecordTable.row(number: number, in: place, db) } }
            for (number, row) in zip(page, rows) { try body(number, row.get) }
        }
    }

    /// Deletes the records, apart from the first ones if these are deleted otherwise.
    ///
    /// - Parameters:
    ///   - first: How many of the members are left out.
    ///   - storage: Used in the same transaction for nothing else that writes these records.
    ///   - user: The user who is being erased: nothing of the content that the user created may stay in the store, and records that
    ///     cannot be read are deleted nevertheless.
    ///   - type: The record type of a number.
    ///   - body: Called with each record before it is deleted.
    /// - Returns: Whether references are left for ``ReferenceTable/deleteRest(in:_:)``, of records that could not be read.
    @discardableResult
    func delete(
        after first: Int = 0,
        from storage: RecordStorage,
        erasing user: UserRecordID? = nil,
        _ type: (Int64) -> TypeDefinition?,
        _ body: (RecordRow) throws -> Void = { _ in }
    ) throws -> Bool {
        var hasUnread = false
        try RecordCascade.forEach(members.dropFirst(first).map(\.number), in: place, db) { number, row in
            do {
                guard let row = try row() else { return }
                try body(row)
                try storage.delete(
                    row,
                    type(row.type),
                    isErasure: user != nil && row.content.creator == user,
                    in: place
                )
            } catch let error where user != nil && KinfolkError(error).code == .storeCorrupt {
                // The row was edited without the key. The person must still be able to leave.
                try storage.deleteUnread(number, in: place)
                hasUnread = true
            }
        }
        return hasUnread
    }
}
