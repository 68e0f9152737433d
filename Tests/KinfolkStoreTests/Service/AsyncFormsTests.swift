import Kinfolk
import KinfolkThreads
import ServiceSupport
import TestSupport
import Testing

@Suite struct AsyncFormsTests {
    private let store: TestService

    init() throws { store = try TestService() }

    /// Calls each async form. A form that called itself would not return.
    /// A check and a restore end soon after their task is cancelled.
    @Test(.enabled(if: TemporaryFolder.hasFiles)) func aCheckAndARestoreEndWithTheirTask() async throws {
        let store = try TestService()
        let (service, folder) = (store.service, store.folder)
        let backup = folder.file("backup.db")
        try await service.backUp(to: backup)
        let key = KeySource.file(TemporaryFolder.keyPath(of: store.path))
        let calls: [@Sendable (@escaping @Sendable () -> Void) async throws -> StoreCheck] = [
            { told in try await service.check { _, _ in told() } },
            { told in
                try await Service.restore(folder.file("new.db"), from: backup, key: key) { _ in told() }
            },
        ]
        for call in calls {
            let (told, isCancelled) = (Flag(), Flag())
            let task = Task {
                try await call {
                    told.set()
                    while !isCancelled.isSet { Thread.sleep(seconds: 0.001) }
                }
            }
            while !told.isSet { await Task.yield() }
            task.cancel()
            isCancelled.set()
            await #expect(throws: KinfolkError.cancelled) { try await task.value }
        }
    }

    @Test func everyAsyncFormDoesTheSameAsTheBlockingCall() async throws {
        let service = try await Service.open(store.folder.file("other.db"))
        let account = try await service.createAccount(name: PersonName(givenName: "Ada"))
        let email = try EmailAddress("ada@example.com")
        try await account.addEmail("ada@example.com")
        let mail = try #require(try await account.requestVerification(of: email))
        #expect(try await account.verifyEmail(email, code: mail.code) == .verified)
        let signIn = try #require(try await account.requestVerification(of: email, for: .signIn, pass: mail.pass))
        try await account.confirmSignIn(email, code: signIn.code)
        let claimant = try await service.createAccount()
        let claim = try #require(try await claimant.addEmail("ada@example.com", verified: true)?.claim)
        #expect(try await service.emailClaims() == [claim])
        #expect(try await service.acknowledgeNotice(of: claim.id).state == .waiting)
        let refusal = try #require(try await account.requestVerification(of: email, for: .refuseClaim))
        #expect(try await account.refuseClaims(on: email, code: refusal.code).map(\.state) == [.refused])
        #expect(try await service.dismissClaim(claim.id).state == .dismissed)
        #expect(try await account.claims().count == 1)
        try await service.setClaimWait(1)
        #expect(try await service.claimWait() == 1)
        try await service.transferEmail("ada@example.com", to: account)
        _ = try await claimant.erase()
        #expect(try await account.emails().map(\.isVerified) == [true])
        #expect(try await service.account(email: email).id == account.id)
        #expect(try await service.account(account.id).name().givenName == "Ada")
        #expect(try await service.accounts().map(\.id) == [account.id])
        try await account.setName(PersonName(givenName: "Grace"))

        let container = try await service.createContainer("com.example.notes")
        #expect(try await service.container("com.example.notes").name == container.name)
        #expect(try await service.containers().count == 1)
        try await container.setPermitLimit(.test(capacity: 5, perHour: 1))
        #expect(try await container.permitLimit().capacity == 5)

        let session = try await container.session(for: account)
        let changes = try await session.accountChanges()
        #expect(await session.accountStatus() == .available)
        let answer = try await session.requestDiscoverability(wording: TestService.wording) { _ in
            await Task.yield()
            return .granted
        }
        #expect(answer == .granted)
        #expect(await changes.first { true } != nil)
        #expect(try await session.discoverability() == .granted)
        let id = try await session.userRecordID()
        try await container.setPermitsLeft(3, of: id)
        #expect(try await container.permitsLeft(of: id) == 3)
        try await container.topUpPermits(of: id)
        #expect(try await session.discover(id)?.name.givenName == "Grace")
        #expect(try await session.discover(email)?.userRecordID == id)
        #expect(try await container.statistics().granted == 1)
        var book = ContactBook()
        try book.add(email: "nobody@example.com")
        #expect(try await session.discover(book).identities.isEmpty)

        var record = try await session.fetchUserRecord()
        try record.set("color", to: .string("green"))
        let saved = try await session.save(record)
        #expect(try await session.fetchUserRecord(id)["color"] == .string("green"))
        try await container.removeField("color")
        #expect(try await session.fetchUserRecord(id).changeTag != saved.changeTag)

        let stranger = try UserRecordID("_0123456789abcdef0123456789abcdef")
        try await session.block(stranger)
        #expect(try await session.blockedUserRecordIDs() == [stranger])
        try await session.unblock(stranger)
        try await container.block(stranger, from: id)
        #expect(try await container.operatorBlocks().map(\.userRecordID) == [stranger])
        try await container.unblock(stranger, from: id)
        #expect(try await container.account(of: id, reason: "Ticket 12").id == account.id)
        #expect(try await service.auditLog().map(\.reason) == ["Ticket 12"])
        #expect(try await session.permitsLeft() > 0)
        #expect(try await !service.findOrCreateAccount(email: "ada@example.com").isNew)
        #expect(try await service.openOrCreateContainer("com.example.notes").container.number == container.number)
        try await service.backUp(to: store.folder.file("backup.db"))
        _ = try await service.copy(to: store.folder.file("copy.db"))
        #expect(try await service.rotateKeys().accounts == 1)
        _ = try await service.createContainer("com.example.passing")
        #expect(try await service.deleteContainer("com.example.passing").people == 0)

        try await account.setEmailDiscoverable(email, false)
        try await session.setDiscoverability(.denied, wording: TestService.wording)
        try await account.suspend()
        #expect(try await account.isSuspended())
        try await account.resume()
        #expect(try await account.export().contains("ada@example.com"))
        try await account.removeEmail(email)
        #expect(try await account.erase().containers == 1)
        #expect(await session.accountStatus() == .noAccount)
    }

    @Test func anErrorOfTheBlockingCallIsThrown() async throws {
        await #expect(throws: KinfolkError(.unknownItem, "")) { try await store.service.container("com.example.none") }
        await #expect(throws: KinfolkError(.unknownItem, "")) {
            try await Service.open(store.folder.file("none.db"), existingOnly: true)
        }
    }

    @Test func aCallOfACancelledTaskDoesNotBegin() async throws {
        let service = store.service
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await service.createAccount()
        }
        task.cancel()
        await #expect(throws: KinfolkError.cancelled) { _ = try await task.value }
        let none = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await Service.open(store.folder.file("none.db"))
        }
        none.cancel()
        await #expect(throws: KinfolkError.cancelled) { _ = try await none.value }
        #expect(try store.number("SELECT count(*) FROM accounts") == 0)
    }

    @Test func cancellingATaskEndsLongWorkAndTheNextCallResumesIt() async throws {
        // Three batches of accounts, of which the first has 100 and the second at most 200. The call ends after the second.
        for _ in 0..<301 { _ = try await store.service.createAccount() }
        let service = store.service
        let (told, isCancelled) = (Lock(0), Lock(false))
        let task = Task {
            try await service.rotateKeys { _ in
                told.withLock { $0 += 1 }
                _ = isCancelled.withLock(when: { $0 }, until: Deadline(in: 600)) { $0 }
            }
        }
        while told.withLock(\.self) == 0 { await Task.yield() }
        task.cancel()
        isCancelled.withLock { $0 = true }
        await #expect(throws: KinfolkError.cancelled) { _ = try await task.value }
        #expect(told.withLock(\.self) == 1)
        #expect(try await service.rotateKeys().accounts > 0)
    }

    @Test func concurrentPromptsAskAPersonOnce() async throws {
        let session = try await store.container.session(for: store.service.createAccount())
        let answers = try await withThrowingTaskGroup(of: Discoverability.self) { group in
            for number in 0..<20 {
                group.addTask {
                    try await session.requestDiscoverability(wording: TestService.wording) { _ in
                        await Task.yield()
                        return number.isMultiple(of: 2) ? .granted : .denied
                    }
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        let held = try await session.discoverability()
        #expect(answers == [held])
    }

    @Test func callsThatWaitForAnotherProcessLeaveTheCooperativePoolFree() async throws {
        let service = store.service
        let finished = Lock(0)
        let probe = try Probe("hold-service", store.path)
        #expect(probe.line() == "holding")
        // This call runs before those of other tests. If it waited for all of them, a server would have ended the idle transaction.
        try await Task(priority: .high) {
            let writers = (0..<200).map { _ in
                Task {
                    _ = try await service.createAccount()
                    finished.withLock { $0 += 1 }
                }
            }
            // More tasks than the cooperative pool has threads, several times over.
            var steps = 0
            for _ in 0..<100 {
                steps += await withTaskGroup(of: Int.self) { group in
                    for _ in 0..<32 { group.addTask { 1 } }
                    return await group.reduce(0, +)
                }
            }
            #expect(steps == 3_200)
            #expect(finished.withLock { $0 } == 0, "the writers still wait")
            probe.release()
            for writer in writers { try await writer.value }
        }.value
        #expect(try store.number("SELECT count(*) FROM accounts") == 200)
    }
}
