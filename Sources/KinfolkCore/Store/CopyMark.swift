package import KinfolkFiles
package import KinfolkModel
package import KinfolkStorage

/// Marks a store as a copy that nobody has opened yet, and records its source and whether the copy is complete.
///
/// The mark is a row of the table `service`, inserted together with the tables, so a copy has it from the beginning. A store with
/// the mark of an incomplete copy cannot be opened. The mark of a complete copy is removed when the copy is first opened and so
/// becomes a store of its own.
package struct CopyMark {
    package enum State {
        /// The run with this number is making the copy.
        case partial(run: RandomID)
        case whole
    }

    package let source: RandomID
    package let state: State

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
        default: throw KinfolkError.damaged("The row that marks the store as a copy is damaged.")
        }
    }

    private static func of(_ db: Connection) throws -> CopyMark? {
        try ServiceTable.value("copy", db).map(CopyMark.init)
    }

    private func note(_ db: Connection) throws { try ServiceTable.set("copy", Array(text.utf8), db) }

    // MARK: For making copies

    /// The identity of a store for its copies and backups: random, and different for each store. A backup has the identity of its
    /// store.
    package static func identity(_ db: Connection) throws -> RandomID {
        let bytes = try ServiceTable.value("store", db)
        guard let id = bytes.flatMap({ $0.withUnsafeBytes(RandomID.init(bytes:)) }) else {
            throw KinfolkError(.storeCorrupt, "The store's identity, by which its copies recognise it, is missing.")
        }
        return id
    }

    /// Creates the identity of a new store, or of a copy that becomes a store of its own.
    static func makeIdentity(_ db: Connection) throws { try ServiceTable.set("store", RandomID.make().bytes, db) }

    /// SQL that inserts the mark into new tables, and does nothing in tables that are in use.
    package static func insertion(source: RandomID, run: RandomID) -> String {
        ServiceTable.insertion(ofCopyMark: CopyMark(source: source, .partial(run: run)).text)
    }

    private static var storeInUse: KinfolkError {
        KinfolkError(
            .conflict,
            "There is already a store that is or was in use. Nothing was changed: name a place without a store."
        )
    }

    /// Throws if there is a store that is no copy, before the store is opened for writing: a store of an older version would be
    /// brought to the current schema. If it cannot be read now, `claim(source:run:_:)` finds out.
    package static func demandNoStore(at path: FilePath, wait: Double) throws {
        let migrations = Schema.migrations
        let store = try? Store(
            path: path,
            existingOnly: true,
            isReadOnly: true,
            acceptsOlder: true,
            wait: wait,
            migrations: migrations
        )
        if let store, let isCopy = try? store.read(CopyMark.isCopy), !isCopy { throw storeInUse }
    }

    /// Takes over a copy of this source from the run that was making it.
    package static func claim(source: RandomID, run: RandomID, _ db: Connection) throws {
        guard let mark = try CopyMark.of(db) else { throw CopyMark.storeInUse }
        guard mark.source == source else {
            throw KinfolkError(.conflict, "The destination is a copy of another store. Nothing was changed.")
        }
        try CopyMark(source: source, .partial(run: run)).note(db)
    }

    /// Throws if another run has taken over the copy. Called in each transaction that changes the copy.
    package static func check(run: RandomID, _ db: Connection) throws {
        guard case .partial(let present) = try CopyMark.of(db)?.state, present == run else {
            throw KinfolkError(.conflict, "Another process has started to make the same copy.")
        }
    }

    package static func noteWhole(source: RandomID, run: RandomID, _ db: Connection) throws {
        try check(run: run, db)
        try CopyMark(source: source, .whole).note(db)
    }

    // MARK: For opening stores

    /// Whether the store is a complete copy that nobody has opened. Throws if the copy is incomplete.
    package static func isWhole(_ db: Connection) throws -> Bool {
        guard let mark = try CopyMark.of(db) else { return false }
        guard case .whole = mark.state else {
            throw KinfolkError(
                .serviceUnavailable,
                "This copy of a store is incomplete: it is still being made, or was interrupted. Copy again to resume."
            )
        }
        return true
    }

    /// Whether the store is a copy that nobody has opened, complete or not.
    package static func isCopy(_ db: Connection) throws -> Bool { try of(db) != nil }

    /// Turns a complete copy into a store of its own. Does nothing for other stores.
    package static func remove(_ db: Connection) throws {
        guard try isWhole(db) else { return }
        try ServiceTable.remove("copy", db)
        try makeIdentity(db)
        try StoreHistory.renew(db)
    }
}
