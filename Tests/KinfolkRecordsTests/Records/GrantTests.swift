import Kinfolk
import ServiceSupport
import TestSupport
import Testing

/// What each role of a record type may do in the public database: for each grant alone, each caller tries each operation.
@Suite("Grants") struct GrantTests {
    enum Permission: String, CaseIterable {
        case read = "READ"
        case create = "CREATE"
        case write = "WRITE"
    }

    enum Role: String, CaseIterable {
        case world = "_world"
        case icloud = "_icloud"
        case creator = "_creator"
        case editor = "Editor"
    }

    enum Caller: CaseIterable {
        case anonymous
        case suspended
        case other
        case creator
        case editor
    }

    private let store: TestService
    private let sessions: [Caller: Session]
    /// Saved by the creator before the grants were restricted.
    private let records: [Record]
    /// An older state of each record.
    private let stale: [Record]
    private let missing: Record

    init() throws {
        store = try TestService()
        let container = store.container
        sessions = [
            .anonymous: container.anonymousSession(),
            .suspended: try store.session("Eve"),
            .other: try store.session("Bob"),
            .creator: try store.session("Ada"),
            .editor: try store.session("Cleo"),
        ]
        try container.applySchema("DEFINE SCHEMA CREATE ROLE Editor; RECORD TYPE Note (title STRING QUERYABLE);")
        for caller in [Caller.suspended, .editor] {
            try container.grantRole("Editor", to: store.account(of: #require(sessions[caller])))
        }
        try store.account(of: #require(sessions[.suspended])).suspend()
        let database = try #require(sessions[.creator]).publicDatabase
        stale = try (0..<Operation.allCases.count * Caller.allCases.count).map { number in
            try database.save(GrantTests.note("\(number)"))
        }
        records = try stale.map { try database.save($0) }
        missing = try database.save(GrantTests.note("deleted"))
        try database.delete(missing.id)
    }

    private static func note(_ title: String, _ id: RecordID = RecordID()) throws(KinfolkError) -> Record {
        var note = try Record(type: "Note", id: id)
        try note.set("title", to: .string(title))
        return note
    }

    private func grant(_ text: String) throws {
        try store.container.applySchema("DEFINE SCHEMA RECORD TYPE Note (\(text));")
    }

    // MARK: What is expected

    private func has(_ caller: Caller, _ role: Role, isCreator: Bool) -> Bool {
        switch role {
        case .world: true
        case .icloud: caller != .anonymous && caller != .suspended
        case .creator: caller == .creator && isCreator
        case .editor: caller == .editor
        }
    }

    /// Which of three kinds of answers a caller gets for a record that it may not read or write.
    enum Operation: CaseIterable {
        case fetch, fetchSeveral
        case create, createOverExisting
        case update, replace, updateStale, forceUpdate, forceReplace
        case savePolicyUnchanged, savePolicyChangedKeys, savePolicyAllKeys
        case delete, deleteTagged, deleteStale, forceDelete

        var isRead: Bool { self == .fetch || self == .fetchSeveral }
    }

    /// The expected error; nil for none.
    private func expected(
        _ operation: Operation,
        _ caller: Caller,
        mayRead: Bool,
        mayCreate: Bool,
        mayWrite: Bool
    ) -> KinfolkError.Code? {
        if operation.isRead { return mayRead ? nil : .unknownItem }
        guard caller != .anonymous, caller != .suspended else { return .notAuthenticated }
        switch operation {
        case .fetch, .fetchSeveral: return nil
        case .create: return mayCreate ? nil : .permissionFailure
        case .createOverExisting: return mayCreate && mayRead ? .serverRecordChanged : .permissionFailure
        case .update, .replace, .forceUpdate, .forceReplace, .savePolicyUnchanged, .savePolicyChangedKeys,
            .savePolicyAllKeys:
            return mayWrite ? nil : .permissionFailure
        case .updateStale: return mayWrite && mayRead ? .serverRecordChanged : .permissionFailure
        case .delete, .deleteTagged: return mayWrite ? nil : mayRead ? .permissionFailure : .unknownItem
        case .deleteStale:
            return mayWrite
                ? (mayRead ? .serverRecordChanged : .permissionFailure) : mayRead ? .permissionFailure : .unknownItem
        // A deletion by force of a record that does not exist succeeds.
        case .forceDelete: return mayWrite || !mayRead ? nil : .permissionFailure
        }
    }

    // MARK: What happens

    /// Runs an operation, and returns its error. The record is fetched, changed or deleted as `current`; `stale` is an older state.
    private func run(
        _ operation: Operation,
        _ session: Session,
        current: Record,
        stale: Record,
        inBatch: Bool
    ) -> KinfolkError? {
        let database = session.publicDatabase
        var changed = current
        var old = stale
        do throws(KinfolkError) {
            try changed.set("title", to: .string("changed"))
            try old.set("title", to: .string("changed"))
            let single: () throws(KinfolkError) -> Void
            let item: RecordOperation
            switch operation {
            case .fetch:
                _ = try database.fetch(current.id)
                return nil
            case .fetchSeveral:
                let results = try database.fetch([current.id])
                if case .failure(let error) = results.first { throw error }
                return nil
            case .create:
                let new = try GrantTests.note("new")
                item = .create(new)
                single = { () throws(KinfolkError) in _ = try database.save(new) }
            case .createOverExisting:
                let new = try GrantTests.note("new", current.id)
                item = .create(new)
                single = { () throws(KinfolkError) in _ = try database.save(new) }
            case .update, .replace, .savePolicyUnchanged:
                item = operation == .replace ? .replace(changed) : .update(changed)
                single = { [changed] () throws(KinfolkError) in _ = try database.save(changed) }
            case .updateStale:
                item = .update(old)
                single = { [old] () throws(KinfolkError) in _ = try database.save(old) }
            case .forceUpdate, .savePolicyChangedKeys:
                item = .forceUpdate(old)
                single = { [old] () throws(KinfolkError) in _ = try database.save(old, policy: .changedKeys) }
            case .forceReplace, .savePolicyAllKeys:
                item = .forceReplace(old)
                single = { [old] () throws(KinfolkError) in _ = try database.save(old, policy: .allKeys) }
            case .delete:
                item = .delete(current.id, changeTag: current.changeTag)
                single = { () throws(KinfolkError) in try database.delete(current.id) }
            case .deleteTagged:
                item = .delete(current.id, changeTag: current.changeTag)
                single = { () throws(KinfolkError) in try database.delete(current.id, changeTag: current.changeTag) }
            case .deleteStale:
                item = .delete(current.id, changeTag: stale.changeTag)
                single = { () throws(KinfolkError) in try database.delete(current.id, changeTag: stale.changeTag) }
            case .forceDelete:
                item = .forceDelete(current.id)
                let results = try database.run([item])
                if case .failure(let error) = results.first { throw error }
                return nil
            }
            guard inBatch else {
                try single()
                return nil
            }
            let results = try database.run([item])
            if case .failure(let error) = results.first { throw error }
            return nil
        } catch { return error }
    }

    @Test(arguments: Role.allCases, [Permission.read, .create, .write])
    func eachCallerMayDoExactlyWhatTheGrantsAllow(role: Role, permission: Permission) throws {
        try grant("GRANT \(permission.rawValue) TO \"\(role.rawValue)\"")
        var number = 0
        var kept: [Record] = []
        for caller in Caller.allCases {
            let session = try #require(sessions[caller])
            for operation in Operation.allCases {
                let isCreator = caller == .creator
                let holds = has(caller, role, isCreator: isCreator)
                let expected = expected(
                    operation,
                    caller,
                    mayRead: permission == .read && holds,
                    mayCreate: permission == .create && has(caller, role, isCreator: false),
                    mayWrite: permission == .write && holds
                )
                let inBatch = number.isMultiple(of: 2)
                let error = run(
                    operation,
                    session,
                    current: records[number],
                    stale: stale[number],
                    inBatch: inBatch
                )
                #expect(error?.code == expected, "\(caller): \(operation), in a batch: \(inBatch)")
                #expect(error?.serverRecord == (expected == .serverRecordChanged ? records[number] : nil))
                // Hidden, though the operation succeeds for records that do not exist.
                let isHidden = operation == .forceDelete && !(permission == .write && holds)
                if operation.isRead || expected != nil || operation == .create || isHidden {
                    kept.append(records[number])
                }
                number += 1
            }
        }
        try grant("GRANT READ TO \"_world\"")
        let database = store.container.anonymousSession().publicDatabase
        for record in kept { #expect(try database.fetch(record.id) == record) }
        #expect(try store.service.check().isSound)
    }

    @Test(arguments: [Permission.read, .create, .write])
    func aHiddenRecordLooksLikeAMissingOne(permission: Permission) throws {
        try grant("GRANT \(permission.rawValue) TO Editor")
        let session = try #require(sessions[.other])
        for operation in Operation.allCases where operation != .create {
            for inBatch in [false, true] {
                let hidden = run(operation, session, current: records[0], stale: stale[0], inBatch: inBatch)
                let nothing = run(operation, session, current: missing, stale: missing, inBatch: inBatch)
                #expect(hidden?.code == nothing?.code && hidden?.reason == nothing?.reason, "\(operation)")
            }
        }
        try grant("GRANT READ TO \"_world\"")
        #expect(try session.publicDatabase.fetch(records[0].id) == records[0])
    }

    /// The one thing that cannot be hidden in a database that all share.
    @Test func whoMayCreateLearnsThatANameIsTaken() throws {
        try grant("GRANT CREATE TO \"_icloud\", GRANT READ TO \"_creator\"")
        let database = try #require(sessions[.other]).publicDatabase
        let taken = expect(.permissionFailure) { try database.save(GrantTests.note("new", records[0].id)) }
        #expect(taken?.serverRecord == nil)
        let own = try database.save(GrantTests.note("own"))
        #expect(try database.fetch(own.id) == own)
        expect(.permissionFailure) { try database.save(own) }
    }

    @Test func whoMayWriteButNotReadIsToldNothingOfTheRecord() throws {
        try grant("extra STRING, GRANT WRITE TO Editor")
        let database = try #require(sessions[.editor]).publicDatabase
        var sent = try Record(type: "Note", id: records[0].id)
        try sent.set("extra", to: .string("mine"))
        let saved = try #require(try database.run([.forceUpdate(sent)])[0].get())
        #expect(saved.keys == ["extra"] && saved.createdBy == nil)
        let stale = expect(.permissionFailure) { try database.save(records[0]) }
        #expect(stale?.serverRecord == nil)
        try grant("GRANT READ TO \"_world\"")
        let whole = try database.fetch(sent.id)
        #expect(whole["title"] == records[0]["title"] && whole["extra"] == .string("mine"))
        #expect(whole.createdBy == records[0].createdBy && whole.changeTag == saved.changeTag)
    }

    @Test func aRecordOfAHiddenTypeIsHiddenWhateverTypeACallerNames() throws {
        try store.container.applySchema("DEFINE SCHEMA RECORD TYPE Page (title STRING);")
        try grant("GRANT READ TO Editor")
        let database = try #require(sessions[.other]).publicDatabase
        for id in [records[0].id, missing.id] {
            #expect(try database.run([.forceDelete(id)])[0].get() == nil)
        }
        expect(.permissionFailure) { try database.save(Record(type: "Page", id: records[0].id)) }
        #expect(try sessions[.editor]?.publicDatabase.fetch(records[0].id) == records[0])
    }

    @Test(arguments: [false, true], [ReferenceAction.deleteSelf, .validate])
    func aBatchTellsNoHiddenTargetFromAMissingOne(isAtomic: Bool, action: ReferenceAction) throws {
        try store.container.applySchema("DEFINE SCHEMA RECORD TYPE Page (link REFERENCE);")
        try grant("GRANT READ TO Editor")
        let database = try #require(sessions[.other]).publicDatabase
        let codes = try [records[0].id, missing.id].map { id in
            var page = try Record(type: "Page")
            try page.set("link", to: .reference(Reference(id, action: action)))
            // The second operation seems to make the target, and is not allowed to.
            let results = try database.run([.create(page), .create(GrantTests.note("mine", id))], atomically: isAtomic)
            return results.map { result in
                if case .failure(let error) = result { "\(error.code)" } else { "saved" }
            }
        }
        #expect(codes[0] == codes[1] && !codes[0].contains("saved"))
    }

    /// The order of the operations makes no difference.
    @Test(arguments: [false, true], [ReferenceAction.deleteSelf, .validate])
    func aTargetThatALaterOperationMakesMustBeWritable(isAtomic: Bool, action: ReferenceAction) throws {
        try store.container.applySchema("DEFINE SCHEMA RECORD TYPE Page (link REFERENCE);")
        try grant(#"GRANT READ TO "_world", GRANT CREATE TO "_icloud", GRANT WRITE TO Editor"#)
        let database = try #require(sessions[.other]).publicDatabase
        for isFirst in [true, false] {
            let note = try GrantTests.note("mine")
            var page = try Record(type: "Page")
            try page.set("link", to: .reference(Reference(note.id, action: action)))
            let operations = isFirst ? [note, page] : [page, note]
            let results = try database.run(operations.map(RecordOperation.create), atomically: isAtomic)
            expect(.permissionFailure) { try results[isFirst ? 1 : 0].get() }
        }
    }

    /// Who may write a record and not read it gets the same error for references that it has and for others.
    @Test func nobodyFindsOutToWhatAnUnreadableRecordRefers() throws {
        try store.container.applySchema("DEFINE SCHEMA RECORD TYPE Page (link REFERENCE, other REFERENCE);")
        try store.container.applySchema(
            #"DEFINE SCHEMA RECORD TYPE Page (GRANT READ, WRITE TO "_creator", GRANT CREATE TO "_icloud", GRANT WRITE TO Editor);"#
        )
        var page = try Record(type: "Page")
        try page.set("link", to: .reference(Reference(records[0].id, action: .validate)))
        page = try #require(sessions[.creator]).publicDatabase.save(page)
        let editor = try #require(sessions[.editor]).publicDatabase
        for field in ["link", "other"] {
            for target in [records[0], records[1]] {
                var draft = try Record(type: "Page", id: page.id)
                try draft.set(field, to: .reference(Reference(target.id, action: .validate)))
                expect(.permissionFailure) { try editor.save(draft, policy: .changedKeys) }
            }
        }
    }

    @Test func grantsDoNotConcernPrivateDatabases() throws {
        try grant("GRANT READ TO Editor")
        let database = try #require(sessions[.other]).privateDatabase
        let note = try database.save(GrantTests.note("mine"))
        #expect(try database.fetch(note.id) == note)
        #expect(try database.save(database.save(note)).createdBy == note.createdBy)
        try database.delete(note.id)
    }

    @Test func grantsHoldForUserRecords() throws {
        let ada = try #require(sessions[.creator]), bob = try #require(sessions[.other])
        let cleo = try #require(sessions[.editor])
        try store.container.applySchema(
            "DEFINE SCHEMA RECORD TYPE Users (score INT64, GRANT READ, WRITE TO Editor, GRANT WRITE TO \"_creator\", GRANT READ TO \"_icloud\");"
        )
        let id = RecordID(try ada.userRecordID())
        expect(.unknownItem) { try store.container.anonymousSession().publicDatabase.fetch(id) }
        var record = try bob.publicDatabase.fetch(id)
        try record.set("score", to: .int64(3))
        expect(.permissionFailure) { try bob.save(record) }
        let saved = try cleo.save(record)
        #expect(try saved.createdBy == ada.userRecordID() && saved.modifiedBy == cleo.userRecordID())
        #expect(try ada.fetchUserRecord()["score"] == .int64(3))
        expect(.permissionFailure) { try cleo.publicDatabase.delete(id) }
        // A user record that does not exist cannot be created.
        let nobody = try Record(type: "Users", id: RecordID(UserRecordID(.make())))
        for policy in [SavePolicy.changedKeys, .allKeys] {
            expect(.unknownItem) { try cleo.publicDatabase.save(nobody, policy: policy) }
        }
        _ = try store.account(of: cleo).erase()
        #expect(try ada.fetchUserRecord().modifiedBy == nil)
        #expect(try store.service.check().isSound)
    }

    @Test func aNewTypeHasTheStandardGrants() throws {
        let database = try #require(sessions[.other]).publicDatabase
        let page = try database.save(Record(type: "Page"))
        #expect(try store.container.anonymousSession().publicDatabase.fetch(page.id) == page)
        expect(.permissionFailure) { try sessions[.editor]?.publicDatabase.save(page) }
        try database.delete(page.id)
    }
}
