import Kinfolk
import KinfolkStorage
import KinfolkThreads
import ServiceSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct AccountChangesTests {
    private let store: TestService
    private let account: Account
    private let session: Session

    init() throws {
        store = try TestService()
        account = try store.account("Ada", emails: "ada@example.com")
        session = try store.container.session(for: account)
    }

    /// How often an observer is notified.
    private final class Counter: Sendable {
        let count = Lock(0)

        func reaches(_ number: Int) -> Bool {
            count.withLock(when: { $0 >= number }, until: Deadline(in: 60)) { _ in true } == true
        }
    }

    private enum Change: CaseIterable {
        case suspended, resumed, renamed, addressAdded, addressVerified, addressHidden, addressRemoved, codeVerified
        case addressLost, granted, denied, asked, erased

        func apply(to account: Account, _ session: Session) throws {
            let email = try EmailAddress("ada@example.com")
            switch self {
            case .suspended: try account.suspend()
            case .resumed: try account.resume()
            case .renamed: try account.setName(PersonName(givenName: "Grace"))
            case .addressAdded: try account.addEmail("new@example.com")
            case .addressVerified: try account.addEmail("new@example.com", verified: true)
            case .addressHidden: try account.setEmailDiscoverable(email, false)
            case .addressRemoved: try account.removeEmail(email)
            case .codeVerified:
                let other = try EmailAddress("other@example.com")
                try account.addEmail("other@example.com")
                _ = try account.verifyEmail(other, code: account.requestVerification(of: other)?.code ?? "")
            case .addressLost:
                let service = account.service
                try service.transferEmail("ada@example.com", to: service.createAccount())
            case .granted: try session.setDiscoverability(.granted, wording: TestService.wording)
            case .denied: try session.setDiscoverability(.denied, wording: TestService.wording)
            case .asked: _ = try session.requestDiscoverability(wording: TestService.wording) { _ in .granted }
            case .erased: _ = try account.erase()
            }
        }
    }

    @Test(arguments: Change.allCases) private func anObserverIsNotifiedOf(change: Change) throws {
        let told = Counter()
        let observation = try session.observeAccount { told.count.withLock { $0 += 1 } }
        try change.apply(to: account, session)
        #expect(told.reaches(1))
        withExtendedLifetime(observation) {}
    }

    /// A second service has separate connections and a separate watcher, like another process.
    @Test(arguments: Change.allCases) private func anObserverIsNotifiedOfAChangeByAnotherProcess(change: Change) throws
    {
        let elsewhere = try store.reopened()
        let there = try elsewhere.account(account.id)
        let sessionThere = try elsewhere.container(store.container.name).session(for: there)
        let told = Counter()
        let observation = try session.observeAccount { told.count.withLock { $0 += 1 } }
        try change.apply(to: there, sessionThere)
        #expect(told.reaches(1))
        withExtendedLifetime(observation) {}
    }

    @Test func theStreamYieldsEachChange() async throws {
        let session = session
        let changes = try await session.accountChanges()
        var iterator = changes.makeAsyncIterator()
        try await account.suspend()
        #expect(await iterator.next() != nil)
        #expect(await session.accountStatus() == .restricted)
        try await account.resume()
        #expect(await iterator.next() != nil)
        #expect(await session.accountStatus() == .available)
        _ = try await account.erase()
        #expect(await iterator.next() != nil)
        #expect(await session.accountStatus() == .noAccount)
    }

    @Test func changesOfOthersCauseNoNotice() throws {
        let chat = try store.service.createContainer("com.example.chat")
        let there = try chat.session(for: account)
        let other = try store.discoverable("Other", emails: "other@example.com")
        let told = Counter()
        let observation = try session.observeAccount { told.count.withLock { $0 += 1 } }

        try there.setDiscoverability(.granted, wording: TestService.wording)
        try store.account(of: other).suspend()
        _ = try session.save(session.fetchUserRecord())
        _ = try session.discover(book("other@example.com"))
        // After the changes that cause no notice comes one that does.
        try account.suspend()
        #expect(told.reaches(1))
        #expect(told.count.withLock { $0 } == 1)
        withExtendedLifetime(observation) {}
    }

    @Test func aDecisionNotifiesObserversOfItsContainerOnly() throws {
        let there = try store.service.createContainer("com.example.chat").session(for: account)
        let (toldHere, toldThere) = (Counter(), Counter())
        let observations = [
            try session.observeAccount { toldHere.count.withLock { $0 += 1 } },
            try there.observeAccount { toldThere.count.withLock { $0 += 1 } },
        ]
        try there.setDiscoverability(.granted, wording: TestService.wording)
        #expect(toldThere.reaches(1))
        #expect(toldHere.count.withLock { $0 } == 0)
        withExtendedLifetime(observations) {}
    }

    @Test func anEndedObservationGetsNoNotice() throws {
        let (ended, kept) = (Counter(), Counter())
        let observation = try session.observeAccount { kept.count.withLock { $0 += 1 } }
        do {
            let short = try session.observeAccount { ended.count.withLock { $0 += 1 } }
            withExtendedLifetime(short) {}
        }
        try account.suspend()
        #expect(kept.reaches(1))
        #expect(ended.count.withLock { $0 } == 0)
        withExtendedLifetime(observation) {}
    }

    @Test func endingAnObservationWaitsForItsRunningCallback() throws {
        let isCalled = Lock(false)
        let mayEnd = Lock(false)
        let hasEnded = Lock(false)
        var observation: AccountObservation? = try session.observeAccount {
            isCalled.withLock { $0 = true }
            _ = mayEnd.withLock(when: { $0 }, until: Deadline(in: 60)) { _ in }
            hasEnded.withLock { $0 = true }
        }
        try account.suspend()
        #expect(isCalled.withLock(when: { $0 }, until: Deadline(in: 60)) { _ in true } == true)
        #expect(
            KinfolkThreads.Thread.start {
                KinfolkThreads.Thread.sleep(seconds: 0.05)
                mayEnd.withLock { $0 = true }
            }
        )
        withExtendedLifetime(observation) {}
        observation = nil
        #expect(hasEnded.withLock { $0 })
    }

    @Test func aCallbackCanEndItsOwnObservation() throws {
        let held = Lock<AccountObservation?>(nil)
        let told = Counter()
        let observation = try session.observeAccount {
            let ended = held.withLock { held in
                defer { held = nil }
                return held
            }
            withExtendedLifetime(ended) {}
            told.count.withLock { $0 += 1 }
        }
        held.withLock { $0 = observation }
        try account.suspend()
        #expect(told.reaches(1))
    }

    @Test func aCallbackMayHoldAnotherObservation() throws {
        let outer = Lock<AccountObservation?>(try session.observeAccount {})
        let inner = try session.observeAccount { [held = outer.withLock { $0 }] in withExtendedLifetime(held) {} }
        outer.withLock { $0 = nil }
        withExtendedLifetime(inner) {}
        // Here the inner observation's callback is released, and with it the last reference to the outer observation.
    }

    @Test func aServiceWithoutObserversIsReleased() throws {
        weak var service: Service?
        do {
            let other = try store.reopened()
            service = other
            let session = try other.container(store.container.name).session(for: other.account(account.id))
            let stream = try session.accountChanges()
            withExtendedLifetime(stream) {}
        }
        #expect(eventually { service == nil })
    }

    // MARK: Many observers

    /// With a transaction for each observer, each of the three rounds would take 300 of them. The time limit of this suite leaves room
    /// for 240 half seconds, however slow the machine is.
    @Test func oneTransactionServesAllObservers() throws {
        let chat = try store.service.createContainer("com.example.chat")
        let accounts = try (0..<30).map { _ in try store.service.createAccount() }
        let told = accounts.map { _ in Counter() }
        let observations = try zip(accounts, told).flatMap { account, told in
            let sessions = [try store.container.session(for: account), try chat.session(for: account)]
            return try sessions.flatMap { session in
                try (0..<5).map { _ in try session.observeAccount { told.count.withLock { $0 += 1 } } }
            }
        }
        let before = store.service.readCount
        let elsewhere = try store.reopened()
        for round in 1...3 {
            for account in accounts {
                try elsewhere.account(account.id).setName(PersonName(givenName: "Ada \(round)"))
            }
            // One notice may be for several changes, so each observer gets one after the last change of a round.
            #expect(told.allSatisfy { $0.reaches(10 * round) })
        }
        #expect(store.service.readCount - before < 3 * 300)
        withExtendedLifetime(observations) {}
    }

    /// The callback holds the thread whenever tracing begins or ends.
    @Test(.enabled(if: TemporaryFolder.hasFiles)) func anUnchangedStoreIsNotSearched() throws {
        let (calls, mayReturn) = (Counter(), Counter())
        let observation = try session.observeAccount {
            let call = calls.count.withLock { calls in
                calls += 1
                return calls
            }
            _ = mayReturn.reaches(call)
        }
        let raw = try RawDatabase(store.path)
        try raw.run("UPDATE accounts SET changes = changes + 1")
        #expect(calls.reaches(1))
        let before = store.service.readCount
        let (_, work) = try store.service.tracing {
            mayReturn.count.withLock { $0 = 1 }
            #expect(eventually { store.service.readCount - before >= 3 })
            try raw.run("UPDATE accounts SET changes = changes + 1")
            #expect(calls.reaches(2))
        }
        let searches = work.filter { $0.sql.contains("a.changes") }.count
        #expect(searches > 0)
        #expect(searches <= 3)
        mayReturn.count.withLock { $0 = .max }
        withExtendedLifetime(observation) {}
    }

    @Test func anObserverAddedLaterIsNotifiedToo() throws {
        let (first, second) = (Counter(), Counter())
        let one = try session.observeAccount { first.count.withLock { $0 += 1 } }
        let other = try store.account("Grace")
        try account.suspend()
        #expect(first.reaches(1))
        let two = try store.container.session(for: other).observeAccount { second.count.withLock { $0 += 1 } }
        try other.suspend()
        #expect(second.reaches(1))
        #expect(first.count.withLock { $0 } == 1)
        withExtendedLifetime((one, two)) {}
    }

    /// A server refuses a text in a column of numbers.
    @Test(.enabled(if: TemporaryFolder.hasFiles)) func aDamagedRowHidesNoChangesOfOthers() throws {
        let others = try (0..<5).map { _ in try store.service.createAccount() }
        let told = others.map { _ in Counter() }
        var observations = try zip(others, told).map { account, told in
            try store.container.session(for: account).observeAccount { told.count.withLock { $0 += 1 } }
        }
        observations.insert(try session.observeAccount {}, at: 3)
        let raw = try RawDatabase(store.path)
        try raw.run("UPDATE accounts SET changes = 'many' WHERE account_id = x'\(account.id)'")
        for other in others { try other.suspend() }
        #expect(told.allSatisfy { $0.reaches(1) })
        withExtendedLifetime(observations) {}
    }
}
