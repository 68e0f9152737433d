package import Kinfolk
import KinfolkRecords
import KinfolkDiscovery
import KinfolkCore
package import KinfolkAccounts
import KinfolkFiles
package import KinfolkStorage
import KinfolkThreads
package import TestSupport
import Testing

/// A service with a separate store, one container, and a clock that the test moves.
package final class TestService: Sendable {
    package static let wording = ConsentWording("May people who have your address find you here?", version: "2026-01")

    package let folder: TemporaryFolder
    package let clock: TestClock
    private let filteredFrom: Int
    private let hasFanOut: Bool
    package let service: Service
    package let container: Container
    /// The pass of the last mail to each address.
    private let passes = Lock<[EmailAddress: String]>([:])

    /// - Parameters:
    ///   - filteredFrom: How many people a container has before its directory gets a filter.
    ///   - hasFanOut: Whether the service takes changes from the outbox.
    package init(wait: Double = 20, filteredFrom: Int = 10_000, hasFanOut: Bool = true) throws {
        folder = try TemporaryFolder()
        clock = TestClock()
        self.filteredFrom = filteredFrom
        self.hasFanOut = hasFanOut
        service = try TestService.open(
            folder.store("kinfolk.db"),
            clock,
            wait: wait,
            filteredFrom: filteredFrom,
            hasFanOut: hasFanOut
        )
        container = try service.createContainer("com.example.notes")
        // Most tests are not about who has a verified address.
        try container.setPermitLimit(.test(capacity: 20_000, perHour: 10))
    }

    private static func open(
        _ path: String,
        _ clock: TestClock,
        wait: Double,
        memory: MemoryLimits = .standard,
        filteredFrom: Int,
        hasFanOut: Bool
    ) throws -> Service {
        guard hasFanOut else {
            return try Service(
                components: [.accounts, .discovery(filteredFrom: filteredFrom), .records],
                path: FilePath(path),
                key: .file(TemporaryFolder.keyPath(of: path)),
                existingOnly: false,
                wait: wait,
                memory: memory,
                clock: { clock.now }
            )
        }
        return try Service(
            path: FilePath(path),
            key: .file(TemporaryFolder.keyPath(of: path)),
            existingOnly: false,
            wait: wait,
            memory: memory,
            filteredFrom: filteredFrom,
            clock: { clock.now }
        )
    }

    package var path: String { folder.store("kinfolk.db") }

    /// The same store, opened again as another process would: with separate connections and caches.
    package func reopened(memory: MemoryLimits = .standard) throws -> Service {
        try TestService.open(path, clock, wait: 20, memory: memory, filteredFrom: filteredFrom, hasFanOut: hasFanOut)
    }

    /// A service of a store that takes no changes from the outbox.
    package static func withoutFanOut(_ store: TestService) throws -> Service {
        try open(store.path, store.clock, wait: 20, filteredFrom: store.filteredFrom, hasFanOut: false)
    }

    /// An account whose addresses are verified.
    package func account(_ givenName: String = "Ada", emails: String...) throws -> Account {
        let account = try service.createAccount(name: PersonName(givenName: givenName, familyName: "Example"))
        for email in emails { try account.addEmail(email, verified: true) }
        return account
    }

    /// Signs a new account in.
    package func session(_ givenName: String = "Ada", emails: String..., in container: Container? = nil) throws
        -> Session
    {
        let account = try account(givenName)
        for email in emails { try account.addEmail(email, verified: true) }
        return try (container ?? self.container).session(for: account)
    }

    /// Signs a new account in, and makes it discoverable.
    package func discoverable(_ givenName: String = "Ada", emails: String..., in container: Container? = nil) throws
        -> Session
    {
        let account = try account(givenName)
        for email in emails { try account.addEmail(email, verified: true) }
        let session = try (container ?? self.container).session(for: account)
        try session.setDiscoverability(.granted, wording: TestService.wording)
        return session
    }

    /// The mail that an account gets on request. Tests that send many to an address present the pass of the one before.
    package func mail(
        _ account: Account,
        _ email: EmailAddress,
        for purpose: CodePurpose = .addEmail,
        pass: String? = nil
    ) throws -> VerificationMail {
        try #require(try account.requestVerification(of: email, for: purpose, pass: pass))
    }

    /// Requests a code, also if the mails of the address are used up.
    package func mailOutsideOfBudget(
        _ account: Account,
        _ email: EmailAddress,
        for purpose: CodePurpose = .addEmail
    ) throws -> VerificationMail {
        let mail = try mail(account, email, for: purpose, pass: passes.withLock { $0[email] })
        passes.withLock { $0[email] = mail.pass }
        return mail
    }

    /// An account proves an address by a code.
    @discardableResult
    package func prove(_ account: Account, _ email: EmailAddress) throws -> EmailVerification {
        try account.verifyEmail(email, code: mailOutsideOfBudget(account, email).code)
    }

    package func account(of session: Session) throws -> Account {
        try service.account(#require(session.account))
    }

    /// The number that a query returns.
    package func number(_ sql: StaticString) throws -> Int {
        try service.read { db in try db.first(sql) { Int($0.integer(0)) } ?? -1 }
    }

    /// Writes to the store with SQL, like another program.
    package func change(_ sql: StaticString, _ values: Value...) throws {
        try service.write { db in _ = try db.execute(sql, for: [values]) { $0 } }
    }

    /// How many rows the directory and its names have.
    package func directoryRows() throws -> [Int] {
        [try number("SELECT count(*) FROM directory"), try number("SELECT count(*) FROM identities")]
    }
}

extension PermitLimit {
    /// A limit that is the same with and without a verified address.
    package static func test(capacity: UInt32, perHour: Double) -> PermitLimit {
        PermitLimit(capacity: capacity, perHour: perHour, unverifiedCapacity: capacity)
    }
}

package func book(_ emails: String...) throws -> ContactBook {
    var book = ContactBook()
    for email in emails { try book.add(email: email) }
    return book
}
