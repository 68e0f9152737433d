import Kinfolk
import TestSupport

/// Gives and takes a role while sessions in two processes use it, and edits the rows of roles and grants without the key.
struct GivenRoles {
    private let rounds: Int

    init(rounds: Int) { self.rounds = rounds }

    func findings() throws -> [Finding] { try [afterRevocations(), editedRows()] }

    /// Whether a call that began after a revocation returned still uses the role.
    private func afterRevocations() throws -> Finding {
        let scene = try RecordScene()
        let store = scene.store
        var record = try scene.owner.publicDatabase.save(RecordScene.record(title: RecordScene.secret))
        try store.container.applySchema(HiddenRecords.schema)
        let account = try store.account(InventedPerson(2))
        let elsewhere = try store.reopened()
        let sessions = try [
            store.container.session(for: account),
            elsewhere.container(AttackedStore.containerName).session(for: elsewhere.account(account.id)),
        ]
        var (used, calls) = (0, 0)
        for _ in 0..<rounds {
            try store.container.grantRole(HiddenRecords.role, to: account)
            for database in sessions.map(\.publicDatabase) {
                record = try database.save(database.fetch(record.id))
            }
            try store.container.revokeRole(HiddenRecords.role, from: account)
            for database in sessions.map(\.publicDatabase) {
                calls += 3
                if (try? database.fetch(record.id)) != nil { used += 1 }
                if (try? database.save(record)) != nil { used += 1 }
                if (try? database.delete(record.id, changeTag: record.changeTag)) != nil { used += 1 }
            }
        }
        return Finding(
            "calls in two processes that begin after a role was revoked, \(rounds) times",
            "\(used) of \(calls.grouped) used the role",
            isHeld: used == 0
        )
    }

    /// What an administrator of the store tries, who has no key.
    private static let edits = [
        "UPDATE users SET roles = 'Moderator'",
        "UPDATE users SET roles = (SELECT max(roles) FROM users)",
        "UPDATE grants SET role = '_world'",
        "UPDATE grants SET role = '_icloud', permissions = 7",
        "DELETE FROM grants",
        "INSERT INTO grants SELECT container_id, type, '_icloud', 7 FROM record_types",
        "DELETE FROM grants; UPDATE record_types SET code = NULL",
        "UPDATE record_types SET code = (SELECT t.code FROM record_types t WHERE t.name = 'Page'); DELETE FROM grants",
        "UPDATE record_types SET name = 'x' WHERE name = 'Page'; UPDATE record_types SET name = 'Page' WHERE name = 'Note'",
    ]

    private func editedRows() throws -> Finding {
        var (gained, unnoticed) = (0, 0)
        for edit in GivenRoles.edits {
            let scene = try RecordScene()
            let store = scene.store
            let record = try scene.owner.publicDatabase.save(RecordScene.record(title: RecordScene.secret))
            _ = try scene.owner.publicDatabase.save(RecordScene.record(type: "Page", title: "public"))
            try store.container.applySchema(HiddenRecords.schema)
            try store.container.grantRole(HiddenRecords.role, to: store.account(InventedPerson(3)))
            let account = try store.account(InventedPerson(2))
            let session = try store.container.session(for: account)
            try RawDatabase(store.path).run(edit)
            let elsewhere = try store.reopened()
            let container = try elsewhere.container(AttackedStore.containerName)
            // Opening the session may be refused already.
            let other = try? container.session(for: elsewhere.account(account.id))
            for database in [session, other].compactMap({ $0?.publicDatabase }) {
                if (try? database.fetch(record.id)) != nil { gained += 1 }
                if (try? database.save(record)) != nil { gained += 1 }
            }
            if try elsewhere.check().isSound { unnoticed += 1 }
        }
        return Finding(
            "\(GivenRoles.edits.count) edits of roles and grants in the store, without the key",
            "\(gained) gave access, \(unnoticed) escaped the check",
            isHeld: gained == 0 && unnoticed == 0
        )
    }
}
