import Kinfolk
import KinfolkStorage
import KinfolkThreads
import TestSupport

/// People are erased while their own sessions save without a pause, and others refer to their records and change them.
struct ErasureRaces {
    private let people: Int

    init(people: Int) { self.people = people }

    /// The state that all threads see.
    private struct State {
        /// The person who is being erased.
        var victim: (session: Session, user: UserRecordID)?
        var erased: [UserRecordID] = []
        var saves = 0
        var isOver = false
    }

    private static let names = 3

    func findings() throws -> [Finding] {
        let scene = try ReferenceScene(grants: ErasureObstruction.grants)
        let (store, container) = (scene.store, scene.store.container)
        let elsewhere = try store.reopened()
        let otherContainer = try elsewhere.container(AttackedStore.containerName)
        let other = try container.session(for: store.account(InventedPerson(2)))
        let accounts = try (0..<people).map { try store.account(InventedPerson(100 + $0)) }
        let state = Lock(State())
        let failure = Lock<String?>(nil)
        // The threads get no store: they may release their objects late, and the store deletes its folder when released.
        let service = store.service
        try onThreads(4) { thread in
            defer { state.withLock { $0.isOver = true } }
            if thread > 0 {
                // Two threads save as the person, in both processes, one as another user.
                let container = thread == 2 ? otherContainer : container
                try ErasureRaces.save(container, thread == 3 ? other : nil, state)
                return
            }
            for account in accounts {
                let session = try container.session(for: account)
                try session.privateDatabase.save(RecordZone("Notes"))
                let user = try session.userRecordID()
                let saves = state.withLock { state in
                    state.victim = (session, user)
                    return state.saves
                }
                let deadline = Deadline(in: 60)
                while state.withLock({ $0.saves }) < saves + 6, !deadline.hasPassed { Thread.sleep(seconds: 0.000_2) }
                do { _ = try account.erase() } catch {
                    failure.withLock { $0 = "an erasure failed: \(error)" }
                    return
                }
                state.withLock { $0.erased.append(user) }
                if (try? session.privateDatabase.save(ReferenceScene.record())) != nil
                    || (try? session.publicDatabase.save(ReferenceScene.record())) != nil
                {
                    failure.withLock { $0 = "a session of an erased person saves" }
                }
            }
        }
        let (erased, saves) = state.withLock { ($0.erased, $0.saves) }
        let left = try ErasureRaces.rows(of: erased, service)
        var named = 0
        for user in erased {
            for id in try ErasureRaces.ids(of: user) + [RecordID("shared")] {
                guard let record = try? other.publicDatabase.fetch(id) else { continue }
                if record.createdBy == user || record.modifiedBy == user { named += 1 }
            }
        }
        let findings = try service.check().findings.count
        let failed = failure.withLock { $0 }
        return [
            Finding(
                "\(people) people are erased while their sessions in two processes save without a pause, and another user changes their "
                    + "records and refers to them",
                failed
                    ?? ("\(erased.count) erased beside \(saves.grouped) saves: \(left) of their rows are left, \(named) records name "
                        + "one of them, \(findings) findings of the check"),
                isHeld: failed == nil && erased.count == people && left == 0 && named == 0 && findings == 0
                    && saves >= 6 * people
            )
        ]
    }

    private static func ids(of user: UserRecordID) throws -> [RecordID] {
        try (0..<names).map { try RecordID("of \(String("\(user)".dropFirst())) \($0)") }
    }

    /// Saves as the person, or, if another session is given, as another user, until all people are erased.
    private static func save(_ container: Container, _ other: Session?, _ state: Lock<State>) throws {
        var turn = 0
        var own: (user: UserRecordID, session: Session)?
        while !state.withLock({ $0.isOver }) {
            guard let victim = state.withLock({ $0.victim }) else {
                Thread.sleep(seconds: 0.000_2)
                continue
            }
            turn += 1
            if other == nil, own?.user != victim.user, let account = victim.session.account,
                let session = try? container.session(for: container.service.account(account))
            {
                own = (victim.user, session)
            }
            let id = try ids(of: victim.user)[turn % names]
            do {
                if let database = other?.publicDatabase {
                    let action: ReferenceAction = turn.isMultiple(of: 2) ? .deleteSelf : .validate
                    _ = try database.save(ReferenceScene.record(RecordID(), action, id, parent: id))
                    _ = try database.save(ReferenceScene.record(RecordID("shared"), .validate, id), policy: .allKeys)
                } else {
                    let session = own?.session ?? victim.session
                    _ = try session.publicDatabase.save(ReferenceScene.record(id, .deleteSelf, id), policy: .allKeys)
                    _ = try session.publicDatabase.save(ReferenceScene.record(RecordID("shared")), policy: .allKeys)
                    _ = try session.privateDatabase.save(ReferenceScene.record(RecordID(zone: "Notes")))
                }
                state.withLock { $0.saves += 1 }
            } catch let error as KinfolkError {
                // The person or the record is gone.
                let expected: [KinfolkError.Code] = [
                    .notAuthenticated, .referenceViolation, .unknownItem, .zoneNotFound, .permissionFailure,
                    .limitExceeded,
                ]
                guard expected.contains(error.code) else { throw error }
            }
        }
    }

    /// The rows of users who were erased.
    static func rows(of users: [UserRecordID], _ service: Service) throws -> Int {
        let queries: [StaticString] = [
            "SELECT count(*) FROM users WHERE record_id = $1",
            "SELECT count(*) FROM records WHERE owner = $1 OR name_tag = $1",
            "SELECT count(*) FROM index_entries WHERE owner = $1",
            "SELECT count(*) FROM record_references WHERE owner = $1",
            "SELECT count(*) FROM record_bytes WHERE owner = $1",
            "SELECT count(*) FROM zones WHERE owner = $1",
            "SELECT count(*) FROM tombstones WHERE owner = $1",
            "SELECT count(*) FROM removed_zones WHERE owner = $1",
            "SELECT count(*) FROM change_counts WHERE owner = $1",
        ]
        return try service.read { db in
            var rows = 0
            for user in users {
                for query in queries { rows += try db.first(query, .id(user.value)) { Int($0.integer(0)) } ?? 0 }
            }
            return rows
        }
    }
}
