import Kinfolk
import KinfolkAccess
import KinfolkCrypto
import KinfolkFiles
import KinfolkModel
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

@Suite struct WebSessionTests {
    private let store: TestService
    private let ada: Account
    private let token: APIToken
    private var container: Container { store.container }
    private var clock: TestClock { store.clock }

    init() throws {
        store = try TestService()
        ada = try store.account("Ada", emails: "ada@example.com")
        token = try store.container.createAPIToken(named: "web").description
        try store.container.addField("title", type: .string, to: "Note")
    }

    private func begin(isLasting: Bool = false) throws -> String {
        try container.beginWebSession(for: ada, apiToken: token, isLasting: isLasting)
    }

    private func session(_ text: String) throws -> AuthenticatedSession? {
        try container.session(webAuthToken: text, apiToken: token)
    }

    @Test func aWebAuthTokenGivesASessionOfTheAccount() throws {
        let text = try begin()
        #expect(text.utf8.count == 44 && Base64.bytes(text)?.count == 32)
        let found = try #require(try session(text))
        #expect(found.renewed == nil)
        #expect(try found.session.userRecordID() == container.session(for: ada).userRecordID())
        _ = try found.session.privateDatabase.save(Record(type: "Note"))
        let web = found.webSession
        #expect(web.container == container.name && web.environment == .production && web.apiTokenName == "web")
        #expect(web.createdAt == clock.now && web.signedInAt == clock.now && !web.isLasting)
        #expect(web.expiresAt == clock.now.adding(seconds: 1_800))
        #expect(try ada.webSessions() == [web])
    }

    @Test func aTokenIsValidOnlyWhereItWasMade() throws {
        let text = try begin()
        let other = try container.createAPIToken(named: "other").description
        #expect(try container.session(webAuthToken: text, apiToken: other) == nil)
        for place in [
            try store.service.container(container.name, environment: .development),
            try store.service.createContainer("com.example.chess"),
        ] {
            let own = try place.createAPIToken(named: "web").description
            #expect(try place.session(webAuthToken: text, apiToken: own) == nil)
            #expect(try place.session(webAuthToken: text, apiToken: token) == nil)
        }
        let bytes = try #require(Base64.bytes(text))
        for wrong in [
            "", "x", String(text.dropLast()), text + "=", " " + text, Base64.text(Array(bytes.dropLast())),
            Base64.text(bytes + [0]), Base64.text([bytes[0] ^ 1] + bytes.dropFirst()), Hexadecimal.text(bytes),
        ] {
            #expect(try session(wrong) == nil)
        }
        expect(.unknownItem) { try container.beginWebSession(for: ada, apiToken: deletedToken(), isLasting: false) }
    }

    private func deletedToken() throws -> APIToken {
        let deleted = try container.createAPIToken(named: "deleted").description
        try container.deleteAPIToken(named: "deleted")
        return deleted
    }

    // MARK: Time

    @Test(arguments: [(false, 1_800.0), (true, 1_209_600.0)])
    func aSessionEndsWithoutUse(isLasting: Bool, lifetime: Double) throws {
        let text = try begin(isLasting: isLasting)
        clock.advance(seconds: lifetime - 0.000_001)
        #expect(try ada.webSessions().count == 1)
        clock.advance(seconds: 0.000_001)
        #expect(try !store.isValid(text, token))
        #expect(try ada.webSessions() == [])
        clock.advance(seconds: 61)
        _ = try store.account("Bob")
        #expect(try store.number("SELECT count(*) FROM web_sessions") == 0)
    }

    @Test(arguments: [(false, 300.0, 1_800.0), (true, 86_400.0, 1_209_600.0)])
    func aUseRenewsATokenThatIsOldEnough(isLasting: Bool, age: Double, lifetime: Double) throws {
        let first = try begin(isLasting: isLasting)
        let began = clock.now
        clock.advance(seconds: age)
        let used = try #require(try session(first))
        #expect(used.renewed == nil && used.webSession.expiresAt == began.adding(seconds: lifetime))
        clock.advance(seconds: 1)
        let renewed = try #require(try session(first))
        let second = try #require(renewed.renewed)
        #expect(second.utf8.count == 44 && second != first)
        #expect(renewed.webSession.expiresAt == clock.now.adding(seconds: lifetime))
        #expect(renewed.webSession.createdAt == began && renewed.webSession.signedInAt == began)
        #expect(renewed.webSession.id == used.webSession.id)
        // For requests that are on their way; they do not renew it again.
        clock.advance(seconds: 59.9)
        #expect(try session(first)?.renewed == nil)
        #expect(try store.isValid(first, token))
        #expect(try session(second)?.renewed == nil)
        clock.advance(seconds: 0.1)
        #expect(try !store.isValid(first, token))
        #expect(try store.isValid(second, token))
        #expect(try ada.webSessions().count == 1)
    }

    @Test func requestsWithAFreshTokenWriteNothing() throws {
        let text = try begin()
        clock.advance(seconds: 299)
        let (_, work) = try store.service.tracing { _ = try session(text) }
        #expect(!work.isEmpty)
        #expect(!work.contains { $0.sql.contains("UPDATE") || $0.sql.contains("INSERT") || $0.sql.contains("DELETE") })
    }

    @Test func aSessionThatIsUsedLastsAsLongAsItIsUsed() throws {
        var text = try begin()
        let id = try #require(try session(text)).webSession.id
        for _ in 0..<20 {
            clock.advance(seconds: 1_700)
            text = try #require(try session(text)?.renewed)
        }
        #expect(try ada.webSessions().map(\.id) == [id])
    }

    @Test func ofManyRequestsAtOnceOneRenewsTheToken() throws {
        let text = try begin()
        clock.advance(seconds: 400)
        let (container, token) = (container, token)
        let found = try concurrently(8) { try container.session(webAuthToken: text, apiToken: token) }
        #expect(found.allSatisfy { $0 != nil })
        #expect(found.count { $0?.renewed != nil } == 1)
        let renewals = found.compactMap { $0?.renewed }
        let renewed = try #require(renewals.first)
        #expect(try store.isValid(renewed, token))
    }

    @Test func aSessionOfTheFutureIsNotValid() throws {
        clock.advance(seconds: 3_600)
        let text = try begin(isLasting: true)
        clock.advance(seconds: -301)
        #expect(try !store.isValid(text, token))
        // The clocks of two machines may differ a little.
        clock.advance(seconds: 1)
        #expect(try store.isValid(text, token))
    }

    @Test func theTimeOfAnEarlierSignInIsKept() throws {
        clock.advance(seconds: 1_000)
        let earlier = clock.now.adding(seconds: -900)
        for (given, kept) in [(earlier, earlier), (clock.now.adding(seconds: 900), clock.now)] {
            let text = try container.beginWebSession(
                for: ada,
                apiToken: token,
                isLasting: false,
                signedInAt: given
            )
            #expect(try session(text)?.webSession.signedInAt == kept)
        }
    }

    // MARK: Devices

    @Test func allRequestsOfASessionAreOneDevice() throws {
        let text = try begin()
        func request() throws -> Session { try #require(try session(text)).session }
        try request().privateDatabase.save(Subscription(databaseWithID: "all"))
        #expect(try request().notifications().isEmpty)
        _ = try container.session(for: ada).privateDatabase.save(Record(type: "Note"))
        store.service.makeNotifications()
        let notifications = try request().notifications()
        #expect(notifications.count == 1)
        #expect(try request().devices().map(\.isCurrent) == [true])
        try request().acknowledge(#require(notifications.last))
        #expect(try request().notifications().isEmpty)
        // It is not told of its own changes.
        _ = try request().privateDatabase.save(Record(type: "Note"))
        store.service.makeNotifications()
        #expect(try request().notifications().isEmpty)
        // Another browser is another device.
        let other = try #require(try session(try begin())).session
        #expect(other.device != (try request().device))
    }

    // MARK: Ending

    @Test func signingOutEndsOneSession() throws {
        let (gone, kept) = (try begin(), try begin())
        try container.endWebSession(webAuthToken: gone)
        #expect(try !store.isValid(gone, token))
        #expect(try store.isValid(kept, token))
        for wrong in [gone, "", "x"] { try container.endWebSession(webAuthToken: wrong) }
        let id = try #require(try ada.webSessions().first).id
        // Of another account, it ends nothing.
        try store.account("Bob").endWebSession(id)
        #expect(try store.isValid(kept, token))
        for _ in 0..<2 { try ada.endWebSession(id) }
        #expect(try !store.isValid(kept, token))
        expect(.invalidArgument) { try ada.endWebSession("x") }
    }

    @Test func signingOutWithTheTokenBeforeEndsTheSessionToo() throws {
        let first = try begin()
        clock.advance(seconds: 400)
        let second = try #require(try session(first)?.renewed)
        try container.endWebSession(webAuthToken: first)
        #expect(try !store.isValid(second, token))
    }

    @Test func signingOutEverywhereEndsAllSessions() throws {
        let chess = try store.service.createContainer("com.example.chess")
        let ofChess = try chess.createAPIToken(named: "web").description
        let (first, second) = (try begin(), try chess.beginWebSession(for: ada, apiToken: ofChess, isLasting: true))
        let bob = try store.account("Bob")
        let others = try container.beginWebSession(for: bob, apiToken: token, isLasting: false)
        #expect(try ada.webSessions().map(\.container).sorted() == [chess.name, container.name])
        try ada.endWebSessions()
        #expect(try !store.isValid(first, token))
        #expect(try !store.isValid(second, ofChess, in: chess))
        #expect(try store.isValid(others, token))
        #expect(try ada.webSessions() == [])
    }

    @Test func suspendingEndsAllSessionsForGood() throws {
        let (text, other) = (try begin(), try store.reopened())
        try ada.suspend()
        #expect(try !store.isValid(text, token))
        expect(.notAuthenticated) { try begin() }
        try other.account(ada.id).resume()
        #expect(try !store.isValid(text, token))
        #expect(try store.isValid(try begin(), token))
    }

    @Test func erasingEndsAllSessionsForGood() throws {
        let text = try begin()
        _ = try ada.erase()
        #expect(try !store.isValid(text, token))
        let again = try store.account("Ada", emails: "ada@example.com")
        let new = try container.beginWebSession(for: again, apiToken: token, isLasting: false)
        #expect(try !store.isValid(text, token))
        #expect(try store.isValid(new, token))
        expect(.unknownItem) { try ada.webSessions() }
        expect(.unknownItem) { try ada.endWebSessions() }
        expect(.unknownItem) { try ada.endWebSession(String(repeating: "0", count: 32)) }
        expect(.notAuthenticated) { try begin() }
    }

    @Test func deletingTheAPITokenEndsItsSessions() throws {
        let text = try begin()
        let other = try container.createAPIToken(named: "other").description
        let kept = try container.beginWebSession(for: ada, apiToken: other, isLasting: false)
        try container.deleteAPIToken(named: "web")
        #expect(try !store.isValid(text, token))
        let again = try container.createAPIToken(named: "web").description
        #expect(try !store.isValid(text, again))
        #expect(try store.isValid(kept, other))
        #expect(try ada.webSessions().map(\.apiTokenName) == ["other"])
    }

    @Test func deletingTheContainerEndsItsSessions() throws {
        let text = try begin()
        try store.service.deleteContainer(container.name)
        expect(.unknownItem) { try session(text) }
        expect(.unknownItem) { try begin() }
        #expect(try ada.webSessions() == [])
        #expect(try store.number("SELECT count(*) FROM web_sessions") == 0)
    }

    @Test func theOldestSessionEndsWhenThereAreTooMany() throws {
        let first = try begin(isLasting: true)
        clock.advance(seconds: 1)
        let second = try begin(isLasting: true)
        for _ in 3...100 {
            clock.advance(seconds: 1)
            _ = try begin(isLasting: true)
        }
        #expect(try store.isValid(first, token))
        clock.advance(seconds: 1)
        let newest = try begin(isLasting: true)
        #expect(try !store.isValid(first, token))
        #expect(try store.isValid(second, token))
        #expect(try store.isValid(newest, token))
        #expect(try ada.webSessions().count == 100)
    }

    // MARK: Keys

    @Test func aRotationKeepsSessionsUnlessTheKeyLeaked() throws {
        let text = try begin(isLasting: true)
        _ = try store.service.rotateKeys { _ in
            do { #expect(try session(text) != nil) } catch { Issue.record(error) }
        }
        #expect(try store.isValid(text, token))
        #expect(try store.service.check().isSound)
        var new: String?
        let result = try store.service.rotateKeys(isLeaked: true) { _ in
            do {
                // Whoever has the old key could make sessions under it, so none of them is valid from the beginning.
                #expect(try session(text) == nil)
                #expect(try ada.webSessions().count == (new == nil ? 0 : 1))
                if new == nil { new = try begin() }
            } catch { Issue.record(error) }
        }
        #expect(result.consequences.contains(.webSessions))
        #expect(try !store.isValid(text, token))
        #expect(try store.isValid(#require(new), token))
        #expect(try ada.webSessions().count == 1)
        #expect(try store.service.check().isSound)
    }

    /// One sign-in may begin sessions in several containers. An application must not be able to link them by its time.
    @Test func anApplicationsExportDoesNotTellWhenThePersonSignedIn() throws {
        let signedInAt = clock.now
        clock.advance(seconds: 7)
        _ = try container.beginWebSession(for: ada, apiToken: token, isLasting: false, signedInAt: signedInAt)
        #expect(try ada.export().contains("\"signed_in_at\""))
        let export = try container.session(for: ada).export()
        #expect(export.contains("\"web_sessions\"") && !export.contains("signed_in_at"))
    }

    @Test func theExportShowsNoTokens() throws {
        let text = try begin()
        let web = try #require(try session(text)).webSession
        for export in [try ada.export(), try container.session(for: ada).export()] {
            #expect(export.contains(web.id))
            #expect(!export.contains(text) && !export.contains(Hexadecimal.text(token.tag.bytes)))
        }
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func aStoreForReadingOnlyStillKnowsSessions() throws {
        let text = try begin()
        clock.advance(seconds: 400)
        let clock = clock
        let readOnly = try Service(
            path: FilePath(store.path),
            key: .file(TemporaryFolder.keyPath(of: store.path)),
            existingOnly: true,
            isReadOnly: true,
            wait: 20,
            clock: { clock.now }
        )
        let found = try readOnly.container(container.name).session(webAuthToken: text, apiToken: token)
        #expect(found != nil && found?.renewed == nil)
    }
}
