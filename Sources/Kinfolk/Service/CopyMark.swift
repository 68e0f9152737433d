import KinfolkStorage

/// What says of a store that it is a copy which nobody has opened yet: of which store, and whether it is whole.
///
/// It is a row of the table `service`, made with the tables, so that no moment of a copy is without it. A copy that is not whole
/// is opened by nobody; a whole one becomes a store of its own, without a mark, when it is opened first.
struct CopyMark {
    enum State {
        /// At work is the run of this number.
        case partial(run: RandomID)
        case whole
    }

    /// Which rows a copy has of its source, in SQL: all but the mark, what the source is known by to its copies, and its count
    /// of changes.
    static let copiedRows = "name NOT IN ('copy', 'store', 'counter')"

    let source: RandomID
    let state: State

    private var text: String {
        switch state {
        case .partial(let run): "partial \(source.hex) \(run.hex)"
        case .whole: "whole \(source.hex)"
        }
    }

    private init(source: RandomID, _ state: State) {
        self.source = source
        self.state = state
    }

    private init(_ bytes: [UInt8]) throws {
        let words = String(decoding: bytes, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
        let ids = words.dropFirst().map { RandomID(hex: $0) }
        switch (words.first, ids.count, ids.first ?? nil, ids.last ?? nil) {
        case ("partial", 2, let source?, let run?): self.init(source: source, .partial(run: run))
        case ("whole", 1, let source?, _): self.init(source: source, .whole)
        default: throw KinfolkError.damaged("The store's note of being a copy is damaged.")
        }
    }

    private static func of(_ db: Connection) throws -> CopyMark? {
        try ServiceTable.value("copy", db).map(CopyMark.init)
    }

    private func note(_ db: Connection) throws { try ServiceTable.set("copy", Array(text.utf8), db) }

    // MARK: For those who copy

    /// What a store is known by to its copies and backups: random, and another for each store. A backup has that of its store.
    static func identity(_ db: Connection) throws -> RandomID {
        let bytes = try ServiceTable.value("store", db)
        guard let id = bytes.flatMap({ $0.withUnsafeBytes(RandomID.init(bytes:)) }) else {
            throw KinfolkError(.storeCorrupt, "The store has lost what its copies know it by.")
        }
        return id
    }

    /// Makes it, for a store that is new or a copy that becomes a store of its own.
    static func makeIdentity(_ db: Connection) throws { try ServiceTable.set("store", RandomID.make().bytes, db) }

    /// SQL that marks tables which were just made, and nothing that has been in use.
    static func insertion(source: RandomID, run: RandomID) -> String {
        let mark = CopyMark(source: source, .partial(run: run))
        return """
            INSERT INTO service (name, value)
            SELECT 'copy', CAST('\(mark.text)' AS BLOB) WHERE NOT EXISTS (SELECT 1 FROM service);
            """
    }

    /// Takes a copy of this source over from whoever was at work on it.
    static func claim(source: RandomID, run: RandomID, _ db: Connection) throws {
        guard let mark = try CopyMark.of(db) else {
            throw KinfolkError(
                .conflict,
                "There is a store that is in use, or was. Nothing was changed: name a place where there is none."
            )
        }
        guard mark.source == source else {
            throw KinfolkError(.conflict, "There is a copy of another store. Nothing was changed.")
        }
        try CopyMark(source: source, .partial(run: run)).note(db)
    }

    /// Throws if somebody else has taken the copy over. Asked in each transaction that changes it.
    static func check(run: RandomID, _ db: Connection) throws {
        guard case .partial(let present) = try CopyMark.of(db)?.state, present == run else {
            throw KinfolkError(.conflict, "Somebody else has begun to make the same copy.")
        }
    }

    static func noteWhole(source: RandomID, run: RandomID, _ db: Connection) throws {
        try check(run: run, db)
        try CopyMark(source: source, .whole).note(db)
    }

    // MARK: For those who open a store

    /// Whether the store is a copy that nobody has opened. Throws if it is not whole.
    static func isWhole(_ db: Connection) throws -> Bool {
        guard let mark = try CopyMark.of(db) else { return false }
        guard case .whole = mark.state else {
            throw KinfolkError(
                .serviceUnavailable,
                "This is a copy of a store that is not whole: it is being made, or was interrupted. Copy again to go on with it."
            )
        }
        return true
    }

    /// Makes a whole copy a store of its own.
    static func remove(_ db: Connection) throws {
        guard try isWhole(db) else { return }
        try ServiceTable.remove("copy", db)
        try makeIdentity(db)
    }
}
