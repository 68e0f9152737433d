import Kinfolk
import KinfolkStorage

/// Others try to use up the 750 records that may refer to a user's record through `deleteSelf`, and to make it needed through `validate`.
struct SourceCrowding {
    private static let maximumSources = 750

    private let records: Int
    private let scene: ReferenceScene
    private let target: Record
    /// A name that the attackers used before the owner did.
    private let usedName: RecordID

    init(records: Int) throws {
        self.records = records
        scene = try ReferenceScene(
            grants: """
                GRANT READ TO "_world", GRANT CREATE TO "_icloud", GRANT WRITE TO "_creator", GRANT WRITE TO \(HiddenRecords.role)
                """
        )
        target = try scene.owner.publicDatabase.save(ReferenceScene.record(RecordID("target")))
        usedName = try RecordID("used before")
    }

    func findings() throws -> [Finding] {
        let attackers = try attackers()
        var (tried, accepted) = (0, 0)
        for session in attackers {
            for action in [ReferenceAction.deleteSelf, .validate] {
                let (more, saved) = try crowd(session.publicDatabase, action)
                (tried, accepted) = (tried + more, accepted + saved)
            }
        }
        let rows = try sources()
        try useName(attackers[0].publicDatabase)
        var own = 0
        for id in [target.id, usedName] {
            if id == usedName { _ = try scene.owner.publicDatabase.save(ReferenceScene.record(id)) }
            let sources = try (0..<SourceCrowding.maximumSources + 1).map { _ in
                try ReferenceScene.record(RecordID(), .deleteSelf, id)
            }
            own += try ReferenceScene.save(sources, in: scene.owner.publicDatabase)
        }
        let deleted = try [target.id, usedName].map { try scene.owner.publicDatabase.delete($0).count }
        let expected = SourceCrowding.maximumSources
        return [
            Finding(
                "\(attackers.count) sessions (another user, also in another process; former moderators, one suspended; anonymous) refer to a "
                    + "user's record with deleteSelf and validate: new, changed, in lists, in batches that seem to make the record",
                "\(accepted) of \(tried.grouped) records were saved, \(rows) rows refer to it",
                isHeld: accepted == 0 && rows == 0 && tried >= 8 * records
            ),
            Finding(
                "then its user refers to it \(expected + 1) times, and to a record with a name that others had used and left",
                "\(own.grouped) saved, and \(deleted.map(\.grouped).joined(separator: " and ")) deleted with the two",
                isHeld: own == 2 * expected && deleted == [expected + 1, expected + 1]
            ),
        ]
    }

    private func attackers() throws -> [Session] {
        let store = scene.store
        let other = try store.account(InventedPerson(2))
        let former = try (3...4).map { try store.account(InventedPerson($0)) }
        let formerSessions = try former.map { account in
            try store.container.grantRole(HiddenRecords.role, to: account)
            let session = try store.container.session(for: account)
            // It has used the role.
            let source = try session.publicDatabase.save(ReferenceScene.record(RecordID(), .deleteSelf, target.id))
            try session.publicDatabase.delete(source.id)
            try store.container.revokeRole(HiddenRecords.role, from: account)
            return session
        }
        try former[1].suspend()
        let elsewhere = try store.reopened()
        return try [
            store.container.session(for: other),
            elsewhere.container(AttackedStore.containerName).session(for: elsewhere.account(other.id)),
        ] + formerSessions + [store.container.anonymousSession()]
    }

    /// How many records were tried, and how many were saved with the reference.
    private func crowd(_ database: Database, _ action: ReferenceAction) throws -> (tried: Int, saved: Int) {
        let (target, link) = (target.id, FieldValue.reference(try Reference(target.id, action: action)))
        let new = try (0..<records).map { _ in try ReferenceScene.record(RecordID(), action, target) }
        var tried = new.count
        var saved = (try? ReferenceScene.save(new, in: database)) ?? 0
        func attempt(_ call: () throws -> Record) {
            tried += 1
            if (try? call())?["link"] == link { saved += 1 }
        }
        attempt { try database.save(ReferenceScene.record(RecordID(), action, target)) }
        attempt { try database.save(ReferenceScene.record(RecordID(), action, target, parent: target)) }
        // A record that refers to it already, with no action and as its parent.
        attempt {
            var own = try database.save(ReferenceScene.record(RecordID(), ReferenceAction.none, target, parent: target))
            try own.set("link", to: link)
            return try database.save(own)
        }
        attempt {
            let own = try database.save(ReferenceScene.record())
            var record = try ReferenceScene.record()
            try record.set(
                "links",
                to: .referenceList([Reference(own.id, action: action), Reference(target, action: action)])
            )
            record = try database.save(record)
            try record.set("link", to: link)
            return record
        }
        // A later operation of the batch seems to make the target.
        for isAtomic in [false, true] {
            for make in [RecordOperation.create, RecordOperation.forceReplace, RecordOperation.forceUpdate] {
                let source = try ReferenceScene.record(RecordID(), action, target)
                let operations: [RecordOperation] = [.create(source), make(try ReferenceScene.record(target))]
                attempt { try database.run(operations, atomically: isAtomic)[0].get() ?? source }
                attempt { try database.run(operations.reversed(), atomically: isAtomic)[1].get() ?? source }
            }
        }
        return (tried, saved)
    }

    /// Another user takes a name, refers to it as often as possible, and leaves it.
    private func useName(_ database: Database) throws {
        _ = try database.save(ReferenceScene.record(usedName))
        let sources = try (0..<SourceCrowding.maximumSources).map { number in
            try ReferenceScene.record(RecordID("crowd \(number)"), .deleteSelf, usedName, parent: usedName)
        }
        guard try ReferenceScene.save(sources, in: database) == sources.count else {
            throw ExperimentFailure("a user cannot use up the sources of an own record")
        }
        try database.delete(usedName)
        // As dangling references, parents and references to a name that is free.
        let parents = try sources.map {
            try ReferenceScene.record($0.id, ReferenceAction.none, usedName, parent: usedName)
        }
        try ReferenceScene.save(parents, in: database)
    }

    /// The rows of references with an action in the public database. The owner has made none yet.
    private func sources() throws -> Int {
        try scene.store.service.read { db in
            try db.first("SELECT count(*) FROM record_references WHERE length(owner) = 0 AND kind > 0") {
                Int($0.integer(0))
            } ?? 0
        }
    }
}
