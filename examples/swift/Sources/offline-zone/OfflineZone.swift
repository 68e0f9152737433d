import Kinfolk

/// A copy of a zone of notes in a SQLite file of the application. It can be read and edited without the store.
///
/// `synchronize()` brings both sides into step. Nobody's text is lost:
/// - If a note was edited on both sides, the store's text stays, and the local one becomes a new note.
/// - If a note was edited on one side and deleted on the other, the edit wins.
final class OfflineZone {
    private let file: LocalFile
    private let database: Database
    private let zone: String

    init(_ path: String, of zone: String, in database: Database) throws {
        file = try LocalFile(path)
        self.database = database
        self.zone = zone
        // `tag` is the change tag of the state that the store sent last; null if the store never had the note. `pending` is what the
        // store must be told: "save" or "delete". `seen` says whether the note was sent since the last start without a token.
        try file.run(
            "CREATE TABLE IF NOT EXISTS notes (name TEXT PRIMARY KEY, title TEXT, tag TEXT, pending TEXT, seen TEXT)"
        )
        try file.run("CREATE TABLE IF NOT EXISTS position (token BLOB)")
    }

    // MARK: Local work

    /// The titles of the notes, by their names.
    func notes() throws -> [String: String] {
        let rows = try file.run("SELECT name, title FROM notes WHERE pending IS NOT 'delete'")
        return Dictionary(uniqueKeysWithValues: rows.map { ($0[0] ?? "", $0[1] ?? "") })
    }

    func set(_ name: String, _ title: String) throws {
        try file.run(
            """
            INSERT INTO notes (name, title, pending) VALUES (?1, ?2, 'save')
            ON CONFLICT (name) DO UPDATE SET title = ?2, pending = 'save'
            """,
            .text(name),
            .text(title)
        )
    }

    func delete(_ name: String) throws {
        try file.transaction {
            try file.run("DELETE FROM notes WHERE name = ? AND tag IS NULL", .text(name))
            try file.run("UPDATE notes SET pending = 'delete' WHERE name = ?", .text(name))
        }
    }

    // MARK: Synchronizing

    /// Takes the changes of the store, and sends the local ones, until no side has any.
    ///
    /// - Returns: False if the zone was deleted: then the copy is gone too.
    func synchronize() throws -> Bool {
        do {
            try pull()
            while try push() { try pull() }
            return true
        } catch let error as KinfolkError where error.code == .zoneNotFound {
            try file.transaction { for table in ["notes", "position"] { try file.run("DELETE FROM \(table)") } }
            return false
        }
    }

    /// Takes the changes of the store, page by page. Each page is applied together with its token, so that a crash loses or repeats
    /// none.
    private func pull() throws {
        var isBehind = true
        while isBehind {
            do {
                let page = try database.changes(inZone: zone, since: token())
                try file.transaction {
                    for record in page.records { try apply(record) }
                    for record in page.deleted { try applyDeletion(record.id.name) }
                    if !page.moreComing { try applyUnseenDeletions() }
                    try setToken(page.token)
                }
                isBehind = page.moreComing
            } catch let error as KinfolkError where error.code == .changeTokenExpired {
                // Fetches everything again. What is not sent then is gone.
                try file.transaction {
                    try file.run("UPDATE notes SET seen = NULL")
                    try setToken(nil)
                }
            }
        }
    }

    /// Sends local changes as a batch. What the store refuses because the record changed there stays pending: the next `pull()`
    /// brings the change, and resolves the conflict.
    ///
    /// - Returns: Whether there were any.
    private func push() throws -> Bool {
        let pending = try file.run(
            "SELECT name, title, tag, pending FROM notes WHERE pending IS NOT NULL LIMIT \(Database.maximumBatch)"
        )
        let ids = try pending.map { try RecordID($0[0] ?? "", zone: zone) }
        guard !ids.isEmpty else { return false }
        var operations: [RecordOperation] = []
        for (id, (row, stored)) in zip(ids, zip(pending, try database.fetch(ids))) {
            let stored = try? stored.get()
            switch (row[2], row[3]) {
            case (let tag?, "delete"): operations.append(.delete(id, changeTag: tag))
            case (nil, _): operations.append(.create(try titled(row[1], Record(type: "Note", id: id))))
            case (let tag, _):
                // A record with another tag was changed by somebody else.
                guard let stored, stored.changeTag == tag else { continue }
                operations.append(.update(try titled(row[1], stored)))
            }
        }
        guard !operations.isEmpty else { return true }
        let results = try database.run(operations)
        try file.transaction {
            for (operation, result) in zip(operations, results) {
                switch result {
                case .success(let record?): try noteSaved(record)
                case .success(nil): try applyDeletion(operation.id.name)
                case .failure(let error):
                    guard [.serverRecordChanged, .unknownItem].contains(error.code) else { throw error }
                }
            }
        }
        return true
    }

    private func titled(_ title: String?, _ record: Record) throws -> Record {
        var record = record
        try record.set("title", to: .string(title ?? ""))
        return record
    }

    // MARK: Changes of the store

    private func apply(_ record: Record) throws {
        let (name, tag) = (record.id.name, record.changeTag)
        let local = try file.run("SELECT title, tag, pending FROM notes WHERE name = ?", .text(name)).first
        if let local, local[1] == tag {
            // A save of this copy comes back, or everything is fetched again.
            try file.run("UPDATE notes SET seen = 'yes' WHERE name = ?", .text(name))
            return
        }
        let title = title(of: record)
        if let local, local[2] == "save", let edit = local[0], edit != title { try set(RecordID().name, edit) }
        try file.run(
            "INSERT OR REPLACE INTO notes (name, title, tag, pending, seen) VALUES (?, ?, ?, NULL, 'yes')",
            .text(name),
            .text(title),
            .text(tag)
        )
    }

    /// Applies that the store does not have a note any more. A pending save makes it again.
    private func applyDeletion(_ name: String) throws {
        try file.run("DELETE FROM notes WHERE name = ? AND pending IS NOT 'save'", .text(name))
        try file.run("UPDATE notes SET tag = NULL WHERE name = ?", .text(name))
    }

    private func applyUnseenDeletions() throws {
        for row in try file.run("SELECT name FROM notes WHERE tag IS NOT NULL AND seen IS NULL") {
            try applyDeletion(row[0] ?? "")
        }
    }

    /// Notes that a save arrived. If the note was edited again meanwhile, it stays pending.
    private func noteSaved(_ record: Record) throws {
        try file.run(
            "UPDATE notes SET tag = ?2, seen = 'yes', pending = nullif(pending, iif(title = ?3, 'save', '')) WHERE name = ?1",
            .text(record.id.name),
            .text(record.changeTag),
            .text(title(of: record))
        )
    }

    private func title(of record: Record) -> String {
        guard case .string(let title)? = record["title"] else { return "" }
        return title
    }

    // MARK: The position

    /// The server change token, which says how far this copy has come; nil at the beginning.
    private func token() throws -> ServerChangeToken? {
        try file.bytes("SELECT token FROM position").map { bytes in try ServerChangeToken(bytes: bytes) }
    }

    private func setToken(_ token: ServerChangeToken?) throws {
        try file.run("DELETE FROM position")
        if let token { try file.run("INSERT INTO position VALUES (?)", .bytes(token.bytes)) }
    }
}
