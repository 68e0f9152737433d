import Kinfolk
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

/// The roles that the operator gives to accounts.
@Suite("Roles") struct RoleTests {
    private let store: TestService
    private let ada: Session
    private let bob: Session
    private let bobsAccount: Account
    private let record: Record
    private var container: Container { store.container }

    private static let schema = """
        DEFINE SCHEMA CREATE ROLE Editor; CREATE ROLE Reader;
        RECORD TYPE Note (
            title STRING QUERYABLE,
            GRANT READ, WRITE TO Editor, GRANT READ TO Reader, GRANT READ, WRITE TO "_creator", GRANT CREATE TO "_icloud"
        );
        """

    private static let schemaWithoutEditor = """
        DEFINE SCHEMA CREATE ROLE Reader;
        RECORD TYPE Note (title STRING QUERYABLE, GRANT READ TO Reader, GRANT CREATE TO "_icloud");
        """

    init() throws {
        store = try TestService()
        ada = try store.session("Ada")
        bob = try store.session("Bob")
        bobsAccount = try store.account(of: bob)
        try store.container.applySchema(RoleTests.schema)
        var note = try Record(type: "Note")
        try note.set("title", to: .string("Ada's"))
        record = try ada.publicDatabase.save(note)
    }

    @Test func anAccountHasTheRolesThatItWasGiven() throws {
        #expect(try container.roles(of: bobsAccount) == [])
        for role in ["Reader", "Editor", "Editor"] { try container.grantRole(role, to: bobsAccount) }
        #expect(try container.roles(of: bobsAccount) == ["Editor", "Reader"])
        #expect(try container.roles(of: store.account(of: ada)) == [])
        try container.revokeRole("Editor", from: bobsAccount)
        #expect(try container.roles(of: bobsAccount) == ["Reader"])
        expect(.unknownItem) { try container.revokeRole("Editor", from: bobsAccount) }
        #expect(try store.service.check().isSound)
    }

    /// Each call reads the roles again, also in other processes.
    @Test func aRevokedRoleEndsInEachSession() throws {
        let other = try store.reopened()
        let account = try other.account(bobsAccount.id)
        let sessions = [bob, try other.container(container.name).session(for: account)]
        for _ in 0..<2 {
            for session in sessions {
                expect(.unknownItem) { try session.publicDatabase.fetch(record.id) }
                expect(.permissionFailure) { try session.publicDatabase.save(record) }
            }
            try container.grantRole("Editor", to: bobsAccount)
            var latest = record
            for session in sessions {
                latest = try session.publicDatabase.fetch(record.id)
                latest = try session.publicDatabase.save(latest)
            }
            try container.revokeRole("Editor", from: bobsAccount)
            // One session may not read or write any more, although it has the right change tag.
            for session in sessions {
                expect(.permissionFailure) { try session.publicDatabase.save(latest) }
                expect(.unknownItem) { try session.publicDatabase.delete(record.id, changeTag: latest.changeTag) }
            }
        }
    }

    @Test func aChangedGrantHoldsInEachSession() throws {
        let other = try store.reopened()
        let session = try other.container(container.name).session(for: other.account(bobsAccount.id))
        try container.grantRole("Reader", to: bobsAccount)
        #expect(try session.publicDatabase.fetch(record.id) == record)
        expect(.permissionFailure) { try session.publicDatabase.save(record) }
        try container.applySchema("DEFINE SCHEMA RECORD TYPE Note (GRANT WRITE TO Reader);")
        expect(.unknownItem) { try session.publicDatabase.fetch(record.id) }
        _ = try session.publicDatabase.save(record)
    }

    @Test func aSuspendedAccountCannotUseItsRoles() throws {
        try container.grantRole("Editor", to: bobsAccount)
        try bobsAccount.suspend()
        expect(.unknownItem) { try bob.publicDatabase.fetch(record.id) }
        expect(.notAuthenticated) { try bob.publicDatabase.save(record) }
        #expect(try container.roles(of: bobsAccount) == ["Editor"])
        try bobsAccount.resume()
        #expect(try bob.publicDatabase.fetch(record.id) == record)
    }

    @Test func anAccountThatNeverUsedTheContainerCanGetARole() throws {
        let account = try store.account("Cleo")
        try container.grantRole("Reader", to: account)
        #expect(try container.session(for: account).publicDatabase.fetch(record.id) == record)
        let suspended = try store.account("Eve")
        try suspended.suspend()
        expect(.notAuthenticated) { try container.grantRole("Reader", to: suspended) }
    }

    @Test func aRoleHoldsInOneEnvironment() throws {
        let development = try store.service.container(container.name, environment: .development)
        try development.applySchema(RoleTests.schema)
        try development.grantRole("Editor", to: bobsAccount)
        expect(.unknownItem) { try bob.publicDatabase.fetch(record.id) }
        try development.deploySchema()
        #expect(try container.roles(of: bobsAccount) == [])
        expect(.permissionFailure) { try bob.publicDatabase.save(record) }
        try container.grantRole("Editor", to: bobsAccount)
        try development.revokeRole("Editor", from: bobsAccount)
        #expect(try bob.publicDatabase.fetch(record.id) == record)
    }

    @Test func anAccountThatReturnsHasNoRole() throws {
        try container.grantRole("Editor", to: bobsAccount)
        _ = try bobsAccount.erase()
        expect(.unknownItem) { try container.roles(of: bobsAccount) }
        expect(.unknownItem) { try container.grantRole("Editor", to: bobsAccount) }
        expect(.unknownItem) { try container.revokeRole("Editor", from: bobsAccount) }
        expect(.unknownItem) { try bob.publicDatabase.fetch(record.id) }
        expect(.notAuthenticated) { try bob.publicDatabase.save(record) }
        let again = try store.session("Bob")
        #expect(try container.roles(of: store.account(of: again)) == [])
        expect(.unknownItem) { try again.publicDatabase.fetch(record.id) }
    }

    @Test(
        arguments: Search.some([
            "", "_world", "_creator", "a b", "é", "1a", "Editor\n", String(repeating: "x", count: 256),
        ])
    )
    func aNameThatIsNotValidIsRefused(name: String) throws {
        expect(.invalidArgument) { try container.grantRole(name, to: bobsAccount) }
        expect(.invalidArgument) { try container.revokeRole(name, from: bobsAccount) }
    }

    @Test func aRoleThatTheSchemaDoesNotHaveIsRefused() throws {
        expect(.unknownItem) { try container.grantRole("editor", to: bobsAccount) }
        let other = try TestService()
        expect(.invalidArgument) { try container.grantRole("Editor", to: other.account()) }
        expect(.invalidArgument) { try container.roles(of: other.account()) }
    }

    /// An account may have all roles of a schema of the largest size.
    @Test func anAccountMayHaveAHundredRoles() throws {
        let names = (0..<98).map { "R\($0)" + String(repeating: "x", count: 240) }
        try container.applySchema("DEFINE SCHEMA " + names.map { "CREATE ROLE \($0);" }.joined())
        for name in names + ["Reader", "Editor"] { try container.grantRole(name, to: bobsAccount) }
        #expect(try container.roles(of: bobsAccount).count == 100)
        #expect(try bob.publicDatabase.fetch(record.id) == record)
        expect(.limitExceeded) { try container.applySchema("DEFINE SCHEMA CREATE ROLE More;") }
    }

    @Test func aRoleThatIsRemovedIsTakenFromAllAccounts() throws {
        for role in ["Reader", "Editor"] { try container.grantRole(role, to: bobsAccount) }
        try container.applySchema(RoleTests.schemaWithoutEditor, removesMissing: true)
        #expect(try container.roles(of: bobsAccount) == ["Reader"])
        try container.applySchema(RoleTests.schema)
        #expect(try container.roles(of: bobsAccount) == ["Reader"])
        expect(.permissionFailure) { try bob.publicDatabase.save(record) }
        #expect(try store.service.check().isSound)
    }

    @Test func rolesAndGrantsOutliveARotation() throws {
        try container.grantRole("Editor", to: bobsAccount)
        var changed = try bob.publicDatabase.save(record)
        _ = try store.service.rotateKeys()
        #expect(try container.roles(of: bobsAccount) == ["Editor"])
        changed = try bob.publicDatabase.save(changed)
        #expect(try store.reopened().check().isSound)
        expect(.unknownItem) { try container.anonymousSession().publicDatabase.fetch(record.id) }
    }

    /// A record keeps nothing of a user who changed it, and was erased.
    @Test(arguments: [false, true]) func anErasureForgetsWhoChangedRecordsOfOthers(keepsRecords: Bool) throws {
        try container.grantRole("Editor", to: bobsAccount)
        let changed = try bob.publicDatabase.save(record)
        #expect(try changed.modifiedBy == bob.userRecordID() && changed.createdBy == ada.userRecordID())
        _ = try store.service.rotateKeys()
        _ = try bobsAccount.erase(keepsPublicRecords: keepsRecords)
        let kept = try ada.publicDatabase.fetch(record.id)
        #expect(kept.modifiedBy == nil && kept.createdBy == changed.createdBy && kept.changeTag == changed.changeTag)
        #expect(try store.service.check().isSound)
    }

    // MARK: Edited stores

    @Test(
        arguments: Search.some(
            [
                "UPDATE grants SET permissions = 7 WHERE role = 'Reader'",
                "UPDATE grants SET permissions = permissions + 8 WHERE role = 'Reader'",
                "UPDATE grants SET role = '_world' WHERE role = 'Reader'",
                "DELETE FROM grants",
                "INSERT INTO grants (container_id, type, role, permissions) VALUES (1, 0, '_icloud', 7)",
                "UPDATE record_types SET code = NULL WHERE type <> 0",
                "UPDATE record_types SET name = 'Page' WHERE type <> 0",
            ] as [String]
        )
    )
    func anEditedGrantIsDetected(_ sql: String) throws {
        try edit(sql)
        // The service that knows the schema uses what it verified until the schema changes. Others read it.
        let other = try store.reopened()
        let session = try other.container(container.name).session(for: other.account(bobsAccount.id))
        expect(.storeCorrupt) { try session.publicDatabase.fetch(record.id) }
        expect(.storeCorrupt) { try session.publicDatabase.save(Record(type: "Note")) }
        expect(.storeCorrupt) { try other.container(container.name).anonymousSession().publicDatabase.fetch(record.id) }
        #expect(try !other.check().isSound)
    }

    @Test(arguments: ["Editor", " ", "Reader Editor"]) func anEditedRoleIsDetected(_ roles: String) throws {
        try container.grantRole("Reader", to: bobsAccount)
        #expect(try bob.publicDatabase.fetch(record.id) == record)
        try edit("UPDATE users SET roles = '\(roles)' WHERE roles <> ''")
        expect(.storeCorrupt) { try bob.publicDatabase.fetch(record.id) }
        expect(.storeCorrupt) { try bob.publicDatabase.save(record) }
        expect(.storeCorrupt) { try container.roles(of: bobsAccount) }
        expect(.storeCorrupt) { try container.grantRole("Editor", to: bobsAccount) }
        #expect(try !store.service.check().isSound)
        // A role can be removed all the same, and the person can leave.
        try container.applySchema(RoleTests.schemaWithoutEditor, removesMissing: true)
        _ = try bobsAccount.erase()
        #expect(try store.service.check().isSound)
    }

    /// Roles of another account, or of the same one in another environment.
    @Test func aRoleCannotBeCopied() throws {
        try container.grantRole("Editor", to: bobsAccount)
        let eve = try store.session("Eve")
        try edit("UPDATE users SET roles = 'Editor'")
        expect(.storeCorrupt) { try eve.publicDatabase.fetch(record.id) }
        expect(.storeCorrupt) { try eve.publicDatabase.save(record) }
        #expect(try bob.publicDatabase.fetch(record.id) == record)
    }

    private func edit(_ sql: String) throws {
        let raw = try store.reopened()
        _ = try raw.write { db in try db.using(composed: sql, []) { try $0.enqueue { _ in } } }
    }
}
