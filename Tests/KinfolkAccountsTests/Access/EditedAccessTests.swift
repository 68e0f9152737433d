import KinfolkAccess
import KinfolkModel
import KinfolkStorage
import ServiceSupport
import Testing

@testable import Kinfolk

/// Somebody who can write to the database, and does not have the key, gets no access by it.
@Suite("Edited rows of access") struct EditedAccessTests {
    private let store: TestService
    private let ada: Account
    private let eve: Account
    private let chess: Container
    private let text: String
    private let token: APIToken
    private var container: Container { store.container }

    init() throws {
        store = try TestService()
        ada = try store.account("Ada")
        eve = try store.account("Eve")
        chess = try store.service.createContainer("com.example.chess")
        (text, token) = try store.container.createAPIToken(named: "web", returnURLs: ["app:/"])
    }

    private func begin(for account: Account, isLasting: Bool = false) throws -> String {
        try container.beginWebSession(for: account, apiToken: token, isLasting: isLasting)
    }

    private func session(_ text: String) throws -> AuthenticatedSession? {
        try container.session(webAuthToken: text, apiToken: token)
    }

    private var isSound: Bool { get throws { try store.service.check().isSound } }

    @Test func anAPITokenOfAnotherContainerIsNotAuthentic() throws {
        try store.change("UPDATE api_tokens SET container_id = $1", .integer(chess.number))
        expect(.storeCorrupt) { try chess.apiToken(text) }
        expect(.storeCorrupt) { try chess.apiTokens() }
        #expect(try container.apiToken(text) == nil)
        #expect(try !isSound)
    }

    @Test func anAPITokenUnderAnotherTagIsNotAuthentic() throws {
        let (other, description) = try chess.createAPIToken(named: "eve")
        try chess.deleteAPIToken(named: "eve")
        try store.change("UPDATE api_tokens SET token_tag = $1", .tag(description.tag))
        expect(.storeCorrupt) { try container.apiToken(other) }
        #expect(try !isSound)
    }

    @Test func theContentOfAnotherAPITokenIsNotAuthentic() throws {
        let (_, other) = try container.createAPIToken(named: "eve", allowsDiscovery: true)
        try store.change(
            """
            UPDATE api_tokens SET sealed_token = (SELECT o.sealed_token FROM api_tokens o WHERE o.token_tag = $1)
            WHERE token_tag = $2
            """,
            .tag(other.tag),
            .tag(token.tag)
        )
        expect(.storeCorrupt) { try container.apiToken(text) }
        expect(.storeCorrupt) { try container.createAPIToken(named: "another") }
    }

    @Test func aServersKeyOfAnotherAccountIsNotAuthentic() throws {
        let key = try container.addServerKey([4] + [UInt8](repeating: 1, count: 64), named: "server")
        _ = try container.session(for: ada)
        try store.change("UPDATE server_keys SET account_id = $1", .id(ada.id.value))
        expect(.storeCorrupt) { try container.serverKey(key.id) }
        expect(.storeCorrupt) { try container.serverKeys() }
        #expect(try !isSound)
    }

    @Test func aServersKeyUnderAnotherIDIsNotAuthentic() throws {
        let key = try container.addServerKey([4] + [UInt8](repeating: 1, count: 64), named: "server")
        let other = try chess.addServerKey([4] + [UInt8](repeating: 2, count: 64), named: "eve")
        try store.change(
            "UPDATE server_keys SET container_id = $1 WHERE key_id = $2",
            .integer(container.number),
            .bytes(other.keyID)
        )
        expect(.storeCorrupt) { try container.serverKey(other.id) }
        try store.change("DELETE FROM server_keys WHERE key_id = $1", .bytes(other.keyID))
        try store.change("UPDATE server_keys SET key_id = $1", .bytes(other.keyID))
        expect(.storeCorrupt) { try container.serverKey(other.id) }
        expect(.unknownItem) { try container.serverKey(key.id) }
    }

    @Test func aWebSessionOfAnotherAccountIsNotAuthentic() throws {
        _ = try container.session(for: ada)
        let text = try begin(for: eve)
        try store.change("UPDATE web_sessions SET account_id = $1", .id(ada.id.value))
        expect(.storeCorrupt) { try session(text) }
        expect(.storeCorrupt) { try ada.webSessions() }
        #expect(try !isSound)
        // Signing out everywhere removes the row.
        try ada.endWebSessions()
        #expect(try isSound)
    }

    @Test func aWebSessionOfAnotherContainerIsNotAuthentic() throws {
        _ = try chess.session(for: eve)
        let text = try begin(for: eve)
        try store.change("UPDATE web_sessions SET container_id = $1", .integer(chess.number))
        expect(.storeCorrupt) { try chess.session(webAuthToken: text, apiToken: token) }
        #expect(try session(text) == nil)
        #expect(try !isSound)
    }

    @Test func aWebSessionHasTheTokensAndTheTimeOfItsContent() throws {
        let (ofAda, ofEve) = (try begin(for: ada), try begin(for: eve))
        let end = store.clock.now.adding(seconds: 86_400)
        // Eve's token in Ada's row.
        try store.change(
            """
            UPDATE web_sessions SET token_tag = (SELECT o.token_tag FROM web_sessions o WHERE o.account_id = $1)
            WHERE account_id = $2
            """,
            .id(eve.id.value),
            .id(ada.id.value)
        )
        try store.change("DELETE FROM web_sessions WHERE account_id = $1", .id(eve.id.value))
        expect(.storeCorrupt) { try session(ofEve) }
        #expect(try session(ofAda) == nil)
        try ada.endWebSessions()

        let text = try begin(for: ada)
        try store.change("UPDATE web_sessions SET expires_at = $1", .integer(end.microseconds))
        store.clock.advance(seconds: 3_600)
        expect(.storeCorrupt) { try session(text) }
        try ada.endWebSessions()
    }

    @Test func aTokenBeforeIsNotMadeCurrentAgain() throws {
        let first = try begin(for: ada)
        store.clock.advance(seconds: 400)
        #expect(try session(first)?.renewed != nil)
        store.clock.advance(seconds: 61)
        #expect(try session(first) == nil)
        try store.change("UPDATE web_sessions SET token_tag = previous_tag")
        expect(.storeCorrupt) { try session(first) }
        try store.change("UPDATE web_sessions SET previous_tag = NULL")
        expect(.storeCorrupt) { try session(first) }
    }

    @Test func aCodeIsNoToken() throws {
        let code = try container.makeSignInCode(
            for: ada,
            apiToken: token,
            isLasting: false,
            challenge: [UInt8](repeating: 1, count: 32),
            returnURL: nil
        )
        let text = try begin(for: eve)
        // Eve's token in the row of a code that was not redeemed.
        try store.change(
            """
            UPDATE web_sessions SET token_tag = (SELECT o.token_tag FROM web_sessions o WHERE o.account_id = $1)
            WHERE account_id = $2
            """,
            .id(eve.id.value),
            .id(ada.id.value)
        )
        try store.change("DELETE FROM web_sessions WHERE account_id = $1", .id(eve.id.value))
        expect(.storeCorrupt) { try session(text) }
        expect(.storeCorrupt) {
            try container.redeemSignInCode(code, verifier: nil, apiToken: token, returnURL: nil) != nil
        }
    }

    @Test func aRowThatIsPutBackAfterASuspensionNeedsAnAccountInGoodStanding() throws {
        let text = try begin(for: ada, isLasting: true)
        let row = try webSessionRows()
        try ada.suspend()
        try insert(row)
        #expect(try session(text) == nil)
        _ = try ada.erase()
        #expect(try session(text) == nil)
        try insert(row)
        #expect(try session(text) == nil)
        #expect(try !isSound)
    }

    private func webSessionRows() throws -> [Value] {
        let table = try #require(try Tables.described().first { $0.table.name == "web_sessions" }).description
        let rows = TableRows(table)
        return try store.service.read { db in
            var values: [Value] = []
            try rows.forEach(in: .all, limit: 1, db) { rows.append($0, to: &values) }
            return values
        }
    }

    private func insert(_ row: [Value]) throws {
        let table = try #require(try Tables.described().first { $0.table.name == "web_sessions" }).description
        try store.service.write { db in try TableRows(table).insert(row, db) }
    }

    @Test func anAccountThatSomebodyResumedWithoutTheKeyIsDamaged() throws {
        let text = try begin(for: ada, isLasting: true)
        let row = try webSessionRows()
        try ada.suspend()
        try insert(row)
        try store.change("UPDATE accounts SET is_suspended = 0")
        expect(.storeCorrupt) { try session(text) }
    }

    @Test func aDamagedAccountLosesItsSessionsWhenItIsSuspended() throws {
        let text = try begin(for: ada)
        try store.change("UPDATE accounts SET created_at = 5 WHERE account_id = $1", .id(ada.id.value))
        expect(.storeCorrupt) { try session(text) }
        try ada.suspend()
        #expect(try session(text) == nil)
    }

    @Test func anIdentityOfAnotherAccountIsNotAuthentic() throws {
        try eve.addIdentity(issuer: "issuer", subject: "eve")
        try store.change("UPDATE linked_identities SET account_id = $1", .id(ada.id.value))
        expect(.storeCorrupt) { try store.service.account(issuer: "issuer", subject: "eve") }
        expect(.storeCorrupt) { try ada.identities() }
        #expect(try !isSound)
    }

    @Test func anIdentityUnderAnotherTagIsNotAuthentic() throws {
        try ada.addIdentity(issuer: "issuer", subject: "ada")
        try eve.addIdentity(issuer: "issuer", subject: "eve")
        let tag = try store.service.read { db in
            try db.first("SELECT tag FROM linked_identities WHERE account_id = $1", .id(eve.id.value)) { $0.bytes(0) }
        }
        try store.change("DELETE FROM linked_identities WHERE account_id = $1", .id(eve.id.value))
        try store.change("UPDATE linked_identities SET tag = $1", .bytes(#require(tag)))
        expect(.storeCorrupt) { try store.service.account(issuer: "issuer", subject: "eve") }
        #expect(try !isSound)
    }

    @Test(
        arguments: [
            "UPDATE api_tokens SET sealed_token = $1", "UPDATE server_keys SET sealed_key = $1",
            "UPDATE web_sessions SET sealed_session = $1", "UPDATE linked_identities SET sealed_identity = $1",
            "UPDATE web_sessions SET session_id = $1", "UPDATE web_sessions SET code_tag = $1",
            "UPDATE web_sessions SET api_token_tag = $1",
        ],
        [[], [1], [UInt8](repeating: 7, count: 100)] as [[UInt8]]
    ) func damageIsReportedAndNeverCrashes(sql: String, bytes: [UInt8]) throws {
        let key = try container.addServerKey([4] + [UInt8](repeating: 1, count: 64), named: "server")
        let web = try begin(for: ada)
        try ada.addIdentity(issuer: "issuer", subject: "ada")
        try store.service.write { db in try db.execute(composed: sql, [.bytes(bytes)]) }
        let calls: [() throws -> Void] = [
            { _ = try container.apiToken(text) }, { _ = try container.serverKey(key.id) }, { _ = try session(web) },
            { _ = try ada.webSessions() }, { _ = try store.service.account(issuer: "issuer", subject: "ada") },
            { _ = try ada.export() }, { _ = try begin(for: ada) },
        ]
        var codes: [KinfolkError.Code] = []
        for call in calls {
            do { try call() } catch let error as KinfolkError { codes.append(error.code) }
        }
        #expect(!codes.isEmpty && codes.allSatisfy { $0 == .storeCorrupt }, "\(codes)")
        #expect(try !isSound)
        try ada.endWebSessions()
        _ = try ada.erase()
    }
}
