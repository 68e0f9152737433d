import Kinfolk
import KinfolkCore
import KinfolkModel
import KinfolkStorage
import KinfolkThreads
import ServiceSupport
import TestSupport
import Testing

/// Devices learn what others do with documents.
@Suite("Changes of documents") struct DocumentChangeTests {
    private let store: TestService
    private let account: Account

    init() throws {
        store = try TestService()
        account = try store.account("Ada")
    }

    private func device(_ name: String, _ service: Service? = nil) throws -> Documents {
        guard let service else { return try store.container.session(for: account, device: name).documents }
        return try service.container("com.example.notes").session(for: service.account(account.id), device: name)
            .documents
    }

    private func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test func changesAreReadInPages() throws {
        let (phone, tablet) = (try device("phone"), try device("tablet"))
        let start = try phone.changes()
        #expect(start.documents.isEmpty && start.deleted.isEmpty && !start.moreComing)
        let first = try tablet.create("a", contents: text("1"))
        let second = try tablet.create("b", contents: text("2"))
        var page = try phone.changes(since: start.token)
        #expect(page.documents == [first, second])
        try tablet.delete(first)
        let moved = try tablet.move(second, to: "c")
        page = try phone.changes(since: page.token)
        #expect(page.documents == [moved] && page.deleted == [first.id])
        #expect(try phone.changes(since: page.token).documents.isEmpty)
        #expect(try phone.changes().documents == [moved])
        // A token of a zone is none of the documents.
        try phone.session.privateDatabase.save(RecordZone("Notes"))
        let other = try phone.session.privateDatabase.changes(inZone: "Notes").token
        expect(.changeTokenExpired) { try phone.changes(since: other) }
        expect(.changeTokenExpired) { try phone.onChange(since: other) { _ in } }
        expect(.changeTokenExpired) { try phone.session.privateDatabase.changes(inZone: "Notes", since: page.token) }
    }

    @Test func aHandlerIsToldOfOthersChanges() throws {
        let (phone, tablet) = (try device("phone"), try device("tablet"))
        let found = Lock<[DocumentChange]>([])
        let observation = try phone.onChange { change in found.withLock { $0.append(change) } }
        func wait(_ count: Int) -> DocumentChange? {
            found.withLock(when: { $0.count >= count }, until: .never) { $0[count - 1] }
        }
        let own = try phone.create("own", contents: text("1"))
        let created = try tablet.create("a", contents: text("1"))
        #expect(wait(1) == DocumentChange(.changed, documentID: created.id, created))
        // As another process would.
        let saved = try device("tablet", store.reopened()).save(created, contents: text("2"))
        #expect(wait(2) == DocumentChange(.changed, documentID: created.id, saved))
        let both = try tablet.save(created, contents: text("3"))
        #expect(wait(3)?.document?.conflicts == both.conflicts)
        try phone.delete(own)
        try tablet.delete(both)
        #expect(wait(4) == DocumentChange(.deleted, documentID: created.id))
        observation.cancel()
        _ = try tablet.create("b", contents: text("1"))
        #expect(found.withLock(\.count) == 4)
    }

    @Test func anObserverGoesOnWithATokenAndAfterARestore() throws {
        let (phone, tablet) = (try device("phone"), try device("tablet"))
        let token = try phone.changes().token
        let documents = try (0..<450).map { try tablet.create("\($0)", contents: []) }
        let found = Lock<[DocumentChange]>([])
        let observation = try phone.onChange(since: token) { change in found.withLock { $0.append(change) } }
        let all = found.withLock(when: { $0.count >= 450 }, until: .never) { $0 }
        #expect(all?.map(\.documentID) == documents.map(\.id))
        try store.service.write { db in try StoreHistory.renew(db) }
        _ = try tablet.create("last", contents: [])
        // The last document may follow, if it was made after the observer had looked.
        let next = found.withLock(when: { $0.count > 450 }, until: .never) { $0[450].kind }
        #expect(next == .missed)
        observation.cancel()
    }

    @Test func aChangeOfOthersIsToldAlsoIfTheDeviceChangesTheDocumentItself() throws {
        let (phone, tablet) = (try device("phone"), try device("tablet"))
        let document = try phone.create("a", contents: text("1"))
        let token = try phone.changes().token
        let saved = try tablet.save(document, contents: text("2"))
        // Before the observer looks.
        _ = try phone.move(document, to: "b")
        let found = Lock<[DocumentChange]>([])
        let observation = try phone.onChange(since: token) { change in found.withLock { $0.append(change) } }
        let all = found.withLock(when: { !$0.isEmpty }, until: .never) { $0 }
        #expect(all?.first?.document?.current == saved.current && all?.first?.document?.path == "b")
        // What only the device itself has changed since then is not told.
        _ = try phone.move(document, to: "c")
        _ = try phone.create("own", contents: [])
        let last = try tablet.create("last", contents: [])
        #expect(found.withLock(when: { $0.count > 1 }, until: .never) { $0.last?.documentID } == last.id)
        #expect(found.withLock(\.count) == 2)
        observation.cancel()
    }

    @Test func aHandlerThatCancelsIsNotCalledAgain() throws {
        let (phone, tablet) = (try device("phone"), try device("tablet"))
        let token = try phone.changes().token
        for number in 0..<5 { _ = try tablet.create("\(number)", contents: []) }
        let (count, own) = (Lock(0), Lock<StoreObservation?>(nil))
        let isOver = Lock(false)
        let observation = try phone.onChange(since: token) { _ in
            count.withLock { $0 += 1 }
            _ = own.withLock(when: { $0 != nil }, until: .never) { $0?.cancel() }
            isOver.withLock { $0 = true }
        }
        own.withLock { $0 = observation }
        _ = isOver.withLock(when: { $0 }, until: .never) { _ in }
        // Another observation has its turn after this one.
        let seen = Lock(false)
        let other = try phone.onChange { _ in seen.withLock { $0 = true } }
        _ = try tablet.create("last", contents: [])
        _ = seen.withLock(when: { $0 }, until: .never) { _ in }
        other.cancel()
        #expect(count.withLock { $0 } == 1)
    }

    @Test func aStreamReadsAllPages() async throws {
        let (phone, tablet) = (try device("phone"), try device("tablet"))
        let token = try await phone.changes().token
        var documents: [String] = []
        for number in 0..<450 { documents.append(try await tablet.create("\(number)", contents: []).id) }
        var found: [String] = []
        for await change in try await phone.changeStream(since: token) {
            found.append(change.documentID)
            if found.count == documents.count { break }
        }
        #expect(found == documents)
    }

    @Test func aStreamIsTold() async throws {
        let (phone, tablet) = (try device("phone"), try device("tablet"))
        var changes = try await phone.changeStream().makeAsyncIterator()
        let created = try await tablet.create("a", contents: text("1"))
        #expect(await changes.next()?.document == created)
        try await tablet.delete(created)
        #expect(await changes.next() == DocumentChange(.deleted, documentID: created.id))
    }

    @Test func nothingIsLostAmongThreadsAndServices() throws {
        let reader = try device("reader")
        let seen = Lock<[String: Document]>([:])
        let observation = try reader.onChange { change in seen.withLock { $0[change.documentID] = change.document } }
        let other = try store.reopened()
        let writers = try (0..<8).map { try device("writer \($0)", $0.isMultiple(of: 2) ? nil : other) }
        let shared = try writers[0].create("shared", contents: text("base"))
        try onThreads(8) { index in
            let documents = writers[index]
            var own = try documents.create("folder/\(index)", contents: [])
            for step in 0..<10 {
                own = try documents.save(own, contents: Array("\(index) \(step)".utf8))
                if step < 5 { _ = try documents.save(shared, contents: Array("shared \(index) \(step)".utf8)) }
            }
            own = try documents.move(own, to: "moved/\(index)")
        }
        let last = try reader.search()
        #expect(last.map(\.path) == (0..<8).map { "moved/\($0)" } + ["shared"])
        let document = try reader.document(at: "shared")
        // The first save has the base; each other one is a conflict.
        let texts = try ([document.current] + document.conflicts).map { try reader.contents(of: document, $0) }
        let expected = (0..<8).flatMap { index in (0..<5).map { text("shared \(index) \($0)") } }
        #expect(texts.count == 40 && Set(texts) == Set(expected))
        for index in 0..<8 {
            #expect(try reader.contents(of: last[index]) == text("\(index) 9") && last[index].conflicts.isEmpty)
        }
        #expect(
            seen.withLock(when: { seen in last.allSatisfy { seen[$0.id] == $0 } }, until: .never) { _ in true } == true
        )
        observation.cancel()
        #expect(try store.service.check().isSound)
    }
}
