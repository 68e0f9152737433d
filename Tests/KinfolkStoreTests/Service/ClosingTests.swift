import Foundation
import Kinfolk
import KinfolkAccounts
import KinfolkCore
import KinfolkStorage
import KinfolkThreads
import ServiceSupport
import TestSupport
import Testing

/// A closed service leaves nothing of its store in the process, whatever used it.
@Suite struct ClosingTests {
    private let store: TestService
    private let session: Session

    init() throws {
        store = try TestService()
        session = try store.session("Ada", emails: "ada@example.com")
    }

    private var service: Service { store.service }

    /// Whether the store is one file that this process has not open.
    private func isClosed() throws -> Bool {
        guard TemporaryFolder.hasFiles else { return true }
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter { name in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
            return target?.contains(store.folder.path) == true
        }
        let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
        let hasLog = try store.folder.names().contains { $0.hasSuffix("-wal") || $0.hasSuffix("-shm") }
        return descriptors.isEmpty && !maps.contains(store.folder.path) && !hasLog
    }

    @Test func streamsEndAndLaterCallsThrow() async throws {
        let changes = try await session.accountChanges()
        let notifications = try await session.notificationStream()
        let keys = try await session.keyValueStore().changes()
        let documents = try await session.documents.changeStream()
        let waiting = Task { [session] in try await session.notifications(waitingFor: 86_400) }
        async let ends: Void = {
            for await _ in changes {}
            for await _ in notifications {}
            for await _ in keys {}
            for await _ in documents {}
        }()
        await service.close()
        #expect(try isClosed())
        await ends
        await #expect(throws: KinfolkError(.serviceUnavailable, "")) { try await waiting.value }
        await service.close()
        expect(.serviceUnavailable) { try service.createAccount() }
        expect(.serviceUnavailable) { try session.userRecordID() }
        expect(.serviceUnavailable) { try session.onNotification { _ in true } }
        expect(.serviceUnavailable) { try session.documents.onChange { _ in } }
        #expect(await session.accountStatus() == .couldNotDetermine)
        await #expect(throws: KinfolkError(.serviceUnavailable, "")) { try await service.createAccount() }
    }

    /// What is in memory only is written by the thread that closes, although the store refuses all others by then.
    @Test func whatIsPendingIsWritten() throws {
        let other = try store.reopened()
        let before = try store.number("SELECT CAST(coalesce(sum(discoveries), 0) AS BIGINT) FROM activity")
        for _ in 0..<3 {
            service.activity.note(.discovery, in: store.container.number, at: store.clock.now)
        }
        service.close()
        let after = try other.store.read { db in
            try db.first("SELECT CAST(coalesce(sum(discoveries), 0) AS BIGINT) FROM activity") { Int($0.integer(0)) }
        }
        #expect(after == before + 3)
    }

    /// Transactions run while the service is closed; the calls then either succeed or throw that it is closed.
    @Test func threadsThatUseAClosedServiceLearnThat() throws {
        let begun = Lock(0)
        let failures = Lock<[String]>([])
        try onThreads(5) { [service, session] number in
            if number == 0 {
                _ = begun.withLock(when: { $0 >= 20 }, until: .never) { _ in }
                service.close()
                let isClosed = (try? isClosed()) == true
                #expect(isClosed)
                return
            }
            while true {
                begun.withLock { $0 += 1 }
                do throws(KinfolkError) {
                    _ = try session.userRecordID()
                    if number.isMultiple(of: 2) { _ = try service.createAccount() }
                } catch {
                    failures.withLock { $0.append(error.reason) }
                    return
                }
            }
        }
        #expect(failures.withLock { $0.count } == 4)
        #expect(failures.withLock { $0.allSatisfy { $0.contains("closed") } })
    }

    /// The threads for calls without a service may all be waiting for another process.
    @Test func closingDoesNotWaitForCallsThatOpenAStore() async throws {
        let (begun, isClosed) = (Lock(0), Lock(false))
        let calls = (0..<4).map { _ in
            Task {
                try await Service.onOpener {
                    begun.withLock { $0 += 1 }
                    return isClosed.withLock(when: { $0 }, until: Deadline(in: 60)) { $0 } == true
                }
            }
        }
        while begun.withLock({ $0 }) < 4 { try await Task.sleep(for: .milliseconds(10)) }
        await service.close()
        isClosed.withLock { $0 = true }
        for call in calls { #expect(try await call.value) }
    }

    /// Two threads are in transactions of two services, and each closes both.
    @Test func functionsInTransactionsOfTwoServicesMayCloseBoth() throws {
        let other = try TestService()
        let inside = Lock(0)
        try onThreads(2) { [service] number in
            let isFirst = Lock(true)
            expect(.serviceUnavailable) {
                try (number == 0 ? service : other.service).check { _, _ in
                    guard isFirst.withLock(\.self) else { return }
                    isFirst.withLock { $0 = false }
                    inside.withLock { $0 += 1 }
                    _ = inside.withLock(when: { $0 == 2 }, until: .never) { _ in }
                    service.close()
                    other.service.close()
                }
            }
        }
        #expect(try isClosed())
    }

    /// The thread that closes waits for the function, until the function closes the service too.
    @Test func aFunctionMayCloseTheServiceThatAnotherThreadCloses() throws {
        let (isInside, isClosedInside) = (Lock(false), Lock<Bool?>(nil))
        let observation = try session.observeAccount { [service] in
            isInside.withLock { $0 = true }
            _ = eventually { (try? service.accounts()) == nil }
            service.close()
            let isClosed = try? isClosed()
            isClosedInside.withLock { $0 = isClosed }
        }
        try service.account(email: EmailAddress("ada@example.com")).suspend()
        #expect(isInside.withLock(when: { $0 }, until: Deadline(in: 60)) { $0 } == true)
        service.close()
        #expect(isClosedInside.withLock { $0 } == true)
        withExtendedLifetime(observation) {}
    }

    /// A copy keeps a transaction, so each of its steps ends when the service is closed.
    @Test func aCopyEndsWhenItsServiceIsClosed() throws {
        let steps = Lock(0)
        let error = expect(.serviceUnavailable) {
            _ = try service.copy(to: store.folder.store("copy.db")) { [service] _ in
                steps.withLock { $0 += 1 }
                service.close()
            }
        }
        #expect(error?.reason.contains("closed") == true)
        #expect(steps.withLock { $0 } == 1)
        #expect(try isClosed())
    }

    /// A thread of the service has the last reference: the service closes there, without waiting for that thread.
    @Test func theLastReferenceMayBeReleasedByACallback() throws {
        service.close()
        let (held, isReleased) = (Lock<(Service, AccountObservation)?>(nil), Lock(false))
        func open() throws -> Account {
            let own = try store.reopened()
            let account = try own.account(email: EmailAddress("ada@example.com"))
            let session = try own.container("com.example.notes").session(for: account)
            let observation = try session.observeAccount {
                let all = held.withLock { held in
                    defer { held = nil }
                    return held
                }
                withExtendedLifetime(all) {}
                isReleased.withLock { $0 = true }
            }
            held.withLock { $0 = (own, observation) }
            return account
        }
        try open().suspend()
        #expect(isReleased.withLock(when: { $0 }, until: Deadline(in: 60)) { $0 } == true)
        #expect(try eventually { try isClosed() })
    }
}
