import Kinfolk
import KinfolkStorage

/// Sessions without a role try to read, change and delete records that only a role may read or write. They know all IDs and records.
struct GrantReach {
    private let scene: RecordScene
    private let records: HiddenRecords

    init(names: Int) throws {
        scene = try RecordScene()
        records = try HiddenRecords(names, in: scene)
    }

    func findings() throws -> [Finding] {
        let before = try rows()
        let intruders = try intruders()
        var (calls, read, different) = (0, 0, 0)
        for session in intruders {
            let held = try answers(to: session, about: records.held)
            let nothing = try answers(to: session, about: records.deleted)
            calls += held.count
            read += held.count { $0.contains(RecordScene.secret) }
            different += zip(held, nothing).count { $0 != $1 } + abs(held.count - nothing.count)
        }
        let changed = Set(before).subtracting(try rows()).count
        guard
            try answers(to: records.moderator, about: records.held).contains(where: { $0.contains(RecordScene.secret) }
            ),
            try rows() != before
        else { throw ExperimentFailure("the same calls of a moderator read or change nothing") }
        let who =
            "\(intruders.count) sessions without the role (another user, also in another process; the records' creator; a moderator whose "
            + "role was revoked, or who is suspended or erased; anonymous; moderators elsewhere), every call, IDs and records known"
        return [
            Finding(
                who,
                "\(read) of \(calls.grouped) answers show a value",
                isHeld: read == 0 && calls > 100 * records.held.count
            ),
            Finding(
                "the same answers, compared with those about IDs that no record has",
                "\(different) of \(calls.grouped) differ",
                isHeld: different == 0
            ),
            Finding(
                "the rows of these records before and after",
                "\(changed) of \(before.count) changed or deleted",
                isHeld: changed == 0 && before.count >= records.held.count
            ),
        ]
    }

    private func intruders() throws -> [Session] {
        let store = scene.store
        let accounts = try (3...5).map { try store.account(InventedPerson($0)) }
        let sessions = try accounts.map { account in
            let session = try store.container.session(for: account)
            try store.container.grantRole(HiddenRecords.role, to: account)
            // It has used the role.
            _ = try session.publicDatabase.fetch(records.held[0].id)
            return session
        }
        try store.container.revokeRole(HiddenRecords.role, from: accounts[0])
        try accounts[1].suspend()
        _ = try accounts[2].erase()
        let other = try store.account(InventedPerson(2))
        // A moderator of other containers and of the other environment.
        let chess = try store.service.createContainer("com.example.chess")
        let development = try store.service.container(AttackedStore.containerName, environment: .development)
        for container in [chess, development] {
            try RecordScene.declareFields(in: container)
            try container.applySchema(HiddenRecords.schema)
            try container.grantRole(HiddenRecords.role, to: other)
        }
        let elsewhere = try store.reopened()
        return try [
            store.container.session(for: other),
            elsewhere.container(AttackedStore.containerName).session(for: elsewhere.account(other.id)),
            scene.owner,
            store.container.anonymousSession(),
            chess.session(for: other),
            development.session(for: other),
        ] + sessions
    }

    /// All answers about these records, without what is random.
    private func answers(to session: Session, about records: [Record]) throws -> [String] {
        let calls = RecordCalls(session, in: .public)
        for record in records {
            calls.read(record.id, with: [])
            try calls.write(RecordScene.forged(record))
            try calls.write(RecordScene.record(record.id, title: RecordScene.forgery))
            try calls.delete(record.id, changeTag: record.changeTag)
        }
        return calls.answers.map { answer in
            RecordLearning.withoutRandomness(answer).replacing("free", with: "held")
        }
    }

    /// The rows of the records, each as one text.
    private func rows() throws -> [String] {
        try scene.store.service.read { db in
            try db.all(
                """
                SELECT r.number, r.change_tag, r.sealed_fields FROM records r JOIN record_types t
                ON t.container_id = r.container_id AND t.type = r.type
                WHERE r.container_id = 1 AND length(r.owner) = 0 AND t.name = 'Note' ORDER BY r.number
                """
            ) { "\($0.integer(0)) \($0.bytes(1)) \($0.bytes(2))" }
        }
    }
}
