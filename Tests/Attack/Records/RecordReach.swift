import Kinfolk
import KinfolkStorage

/// Sessions that are not the owner's try to read, change and delete the records of a private database, through every call and by
/// every kind of ID. They have all the owner's IDs and records, as an accomplice would tell them.
struct RecordReach {
    private let scene: RecordScene
    private let targets: [Record]
    /// Records that the owner has in the public database: others may read them, and not change them.
    private let publicTargets: [Record]
    /// The numbers of their rows.
    private let publicNumbers: Set<Int64>
    /// The tags of the names of all these records, as a thief of the store knows them.
    private let tags: Set<[UInt8]>

    init(names: Int) throws {
        let scene = try RecordScene()
        self.scene = scene
        let ids = try (0..<names).map { number in
            number.isMultiple(of: 2) ? RecordID() : try RecordID("settings \(number)")
        }
        targets = try scene.savePrivateRecords(ids)
        var user = try scene.owner.fetchUserRecord()
        try user.set("title", to: .string("public"))
        publicTargets =
            try [scene.owner.save(user)]
            + ids.map { id in
                try scene.owner.publicDatabase.save(RecordScene.record(id, title: "public \(id.name)"))
            }
        // Nobody else has saved anything yet.
        publicNumbers = try scene.store.service.read { db in
            Set(try db.all("SELECT number FROM records WHERE length(owner) = 0") { $0.integer(0) })
        }
        tags = try scene.store.service.read { db in
            Set(try db.all("SELECT name_tag FROM records") { $0.bytes(0) })
        }
        guard publicNumbers.count == publicTargets.count else { throw ExperimentFailure("other records are there") }
    }

    func findings() throws -> [Finding] {
        let before = try rows()
        let intruders = try intruders()
        var (calls, read) = (0, 0)
        for session in intruders {
            let answers = try answers(to: session)
            calls += answers.count
            read += answers.count { $0.contains(RecordScene.secret) }
        }
        let after = try rows()
        let changed = Set(before).subtracting(after).count
        guard try answers(to: scene.owner).contains(where: { $0.contains(RecordScene.secret) }), try rows() != before
        else {
            throw ExperimentFailure("the same calls of the owner read or change nothing")
        }
        return [
            Finding(
                "\(intruders.count) other sessions (another user, also in another process; anonymous, suspended, erased; the "
                    + "owner's account in another container and environment), every call, IDs and records known",
                "\(read) of \(calls.grouped) answers show a private value",
                isHeld: read == 0 && calls > 1_000
            ),
            Finding(
                "the rows of the owner's records, private and public, with their index entries, before and after",
                "\(changed) of \(before.count) changed or deleted",
                isHeld: changed == 0 && before.count > targets.count
            ),
        ]
    }

    private func intruders() throws -> [Session] {
        let store = scene.store
        let suspended = try store.session(InventedPerson(3))
        try store.account(of: suspended).suspend()
        let erased = try store.session(InventedPerson(4))
        _ = try store.account(of: erased).erase()
        let chess = try store.service.createContainer("com.example.chess")
        let development = try store.service.container(AttackedStore.containerName, environment: .development)
        for container in [chess, development] { try RecordScene.declareFields(in: container) }
        let stranger = try store.account(InventedPerson(5))
        let elsewhere = try store.reopened()
        return try [
            store.session(InventedPerson(2)),
            elsewhere.container(AttackedStore.containerName).session(for: elsewhere.account(stranger.id)),
            store.container.anonymousSession(),
            suspended,
            erased,
            chess.session(for: scene.account),
            development.session(for: scene.account),
        ]
    }

    /// IDs that lead nowhere, or should not: user record IDs of both sides, the stored tags of names in the form of a user record
    /// ID, reserved and similar names.
    private func guessedIDs(_ session: Session) throws -> [RecordID] {
        let texts =
            tags.map { "_" + Hexadecimal.text($0) } + ["_" + String(repeating: "0", count: 32)]
            + targets.prefix(3).flatMap { [$0.id.name.lowercased(), $0.id.name + " ", " " + $0.id.name] }
            + ["_defaultZone", "_", "__", "Users", "%", "*", "' OR 1=1 --"]
        let users = [try scene.owner.userRecordID(), try? session.userRecordID()].compactMap(\.self)
        return texts.compactMap { try? RecordID($0) } + users.map { RecordID($0) }
    }

    private func answers(to session: Session) throws -> [String] {
        let known = targets + publicTargets
        let guesses = try guessedIDs(session)
        var answers: [String] = []
        // The private database first, because the owner's own calls change it.
        for scope in [DatabaseScope.private, .public] {
            let calls = RecordCalls(session, in: scope)
            for id in known.map(\.id) + guesses { calls.read(id, with: known.map(\.id)) }
            for record in known {
                try calls.write(RecordScene.forged(record))
                // A new record with the same ID belongs to no database yet.
                try calls.write(RecordScene.record(record.id, type: record.type, title: RecordScene.forgery))
                try calls.delete(record.id, changeTag: record.changeTag)
            }
            for id in guesses {
                let type = id.user == nil ? RecordScene.type : "Users"
                try calls.write(RecordScene.record(id, type: type, title: RecordScene.forgery))
                try calls.delete(id, changeTag: nil)
            }
            calls.export()
            answers += calls.answers
        }
        return answers
    }

    /// The owner's rows, each as one text.
    private func rows() throws -> [String] {
        let user = try scene.owner.userRecordID().value
        return try scene.store.service.read { db in
            let own = try db.all(
                "SELECT number, type, change_tag, modified_at, name_tag, sealed_fields, owner FROM records ORDER BY number"
            ) { row in
                (
                    row.bytes(6), row.integer(0),
                    "\(row.integer(1)) \(row.bytes(2)) \(row.integer(3)) \(row.bytes(4)) \(row.bytes(5))"
                )
            }
            let entries = try db.all("SELECT owner, tag, number FROM index_entries ORDER BY number, tag") { row in
                (row.bytes(0), row.integer(2), "\(row.bytes(1))")
            }
            return (own + entries).filter { $0.0 == user.bytes || publicNumbers.contains($0.1) }.map {
                "\($0.1) \($0.2)"
            }
        }
    }
}
