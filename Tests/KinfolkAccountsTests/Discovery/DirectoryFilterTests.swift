import Foundation
import KinfolkFiles
import KinfolkStorage
import KinfolkThreads
import ServiceSupport
import TestSupport
import Testing

@testable import Kinfolk
@_spi(Measuring) @testable import KinfolkDiscovery

/// The filter of a directory changes no answer: the same people are found with and without it, also while data changes.
@Suite struct DirectoryFilterTests {
    private static let people = 60

    private let store: TestService
    private let accounts: [Account]
    private let sessions: [Session]
    private let searcher: Session
    /// The same store, searched without a filter.
    private let plain: Session
    private let book: ContactBook

    /// All people are discoverable. The book has each of them, and the same number of strangers.
    init() throws {
        let store = try TestService(filteredFrom: 10)
        self.store = store
        accounts = try (0..<DirectoryFilterTests.people).map { number in
            let account = try store.account("Person \(number)", emails: "person.\(number)@example.com")
            if number % 3 == 0 { try account.addEmail("second.\(number)@example.com", verified: true) }
            return account
        }
        sessions = try accounts.map { account in
            let session = try store.container.session(for: account)
            try session.setDiscoverability(.granted, wording: TestService.wording)
            return session
        }
        // Each search is counted separately.
        try store.container.setPermitLimit(.test(capacity: 100_000_000, perHour: 1))
        searcher = try store.session("Grace")
        let other = try store.reopened(memory: MemoryLimits(directoryFilters: 0))
        plain = try other.container(store.container.name).session(for: other.createAccount())
        var book = ContactBook()
        for number in 0..<DirectoryFilterTests.people {
            try book.add(email: "person.\(number)@example.com")
            for name in ["nobody", "no-one"] { try book.add(email: "\(name).\(number)@example.org") }
            if number % 3 == 0 { try book.add(email: "second.\(number)@example.com") }
        }
        self.book = book
        _ = try searcher.discover(book)
        try #require(eventually { searcher.container.hasDirectoryFilter })
    }

    private static func small() throws -> ContactBook {
        var book = ContactBook()
        for email in ["person.1@example.com", "nobody@example.org"] { try book.add(email: email) }
        return book
    }

    private func found(by session: Session) throws -> [String] {
        try session.discover(book).identities.map { "\($0.name.givenName) \($0.contacts.map(\.index))" }
    }

    private func found(by session: Session, _ number: Int) throws -> Bool {
        try session.discover(book).identities.contains { $0.name.givenName == "Person \(number)" }
    }

    @Test func theSamePeopleAreFoundByTheSameContacts() throws {
        let people = try found(by: searcher)
        #expect(people.count == DirectoryFilterTests.people)
        #expect(try found(by: plain) == people)
    }

    // On a server the filter avoids index look-ups for whole books, but no rows.
    @Test(.enabled(if: TemporaryFolder.hasFiles)) func theFilterAvoidsLookUpsOfStrangers() throws {
        func lookUps(by session: Session) throws -> Int {
            let (_, work) = try session.container.service.tracing { try session.discover(book) }
            return try #require(work.first { $0.sql.contains("record_id FROM directory") }).steps
        }
        let (filtered, all) = (try lookUps(by: searcher), try lookUps(by: plain))
        #expect(filtered < all)
    }

    @Test func aSmallContainerHasNoFilter() throws {
        let other = try store.service.createContainer("com.example.small")
        let session = try store.discoverable("Ada", emails: "ada@example.com", in: other)
        for _ in 0..<5 { _ = try session.discover(book) }
        #expect(!eventually(within: 0.2) { session.container.hasDirectoryFilter })
    }

    @Test func aFilterThatDoesNotFitIntoMemoryIsNotMade() throws {
        let service = try store.reopened(memory: MemoryLimits(directoryFilters: 32))
        let session = try service.container(store.container.name).session(for: service.createAccount())
        #expect(try found(by: session).count == DirectoryFilterTests.people)
        #expect(!eventually(within: 0.2) { session.container.hasDirectoryFilter })
    }

    @Test func newAndRevokedPeopleAreFoundAndHiddenImmediately() throws {
        for number in [0, 7, DirectoryFilterTests.people - 1] {
            try sessions[number].setDiscoverability(.denied, wording: TestService.wording)
            #expect(try !found(by: searcher, number))
            try sessions[number].setDiscoverability(.granted, wording: TestService.wording)
            #expect(try found(by: searcher, number))
            try accounts[number].suspend()
            #expect(try !found(by: searcher, number))
            try accounts[number].resume()
            #expect(try found(by: searcher, number))
        }
        #expect(try found(by: searcher) == found(by: plain))
    }

    /// More people are added than the filter was made for, and more at once than a search adds to the filter itself.
    @Test func aFilterThatIsTooSmallIsReplaced() throws {
        var more = book
        for number in 0..<1_300 {
            _ = try store.discoverable("More \(number)", emails: "more.\(number)@example.com")
            try more.add(email: "more.\(number)@example.com")
        }
        for _ in 0..<3 {
            #expect(try searcher.discover(more).identities.count == DirectoryFilterTests.people + 1_300)
            _ = eventually { searcher.container.hasDirectoryFilter }
        }
        #expect(searcher.container.hasDirectoryFilter)
    }

    /// The filter may not know rows of an older snapshot: rows that were added to it since have tags under another key.
    @Test func aSearchOfAnOlderSnapshotFindsAllOfItsPeople() throws {
        let (service, container) = (store.service, store.container.number)
        let caller = try searcher.userRecordID()
        var newcomers = ContactBook()
        for number in 0..<120 {
            _ = try store.discoverable("New \(number)", emails: "new.\(number)@example.com")
            try newcomers.add(email: "new.\(number)@example.com")
        }
        let count = try service.read { db in
            let keys = try service.keys(ofContainer: container, in: db)
            let accountKeys = try service.keys(db)
            // Before this thread continues, others rotate all keys, and search.
            _ = try service.beginRotation(to: nil)
            while try service.rotateBatch() != nil {}
            #expect(try found(by: searcher).count == DirectoryFilterTests.people)
            // With so many new rows a new filter is made.
            #expect(eventually { (try? service.read { try service.filters.filter(of: container, $0) }) ?? nil != nil })
            let search = DirectorySearch(
                container: container,
                keys: keys,
                accountKeys: accountKeys,
                caller: caller,
                hidden: [],
                filters: service.filters
            )
            return try search.find(newcomers, db).count
        }
        #expect(count == 120)
    }

    /// A contact takes at most one look-up in the store, even if it is in the book many times.
    @Test func aHiddenPersonCostsAtMostOneLookUpMoreThanAStranger() throws {
        try sessions[1].setDiscoverability(.denied, wording: TestService.wording)
        try sessions[2].block(searcher.userRecordID())
        func steps(_ email: String) throws -> Int {
            var many = ContactBook()
            for number in 0..<100 { try many.add(email: "stranger.\(number)@example.org") }
            for _ in 0..<5_000 { try many.add(email: email) }
            let state = try searcher.discover(many).syncState
            let (found, work) = try store.service.tracing { try searcher.discover(many, syncState: state) }
            #expect(found.identities.isEmpty)
            return work.reduce(0) { $0 + $1.steps }
        }
        let stranger = try steps("never.here@example.com")
        for number in 1...2 { #expect(try steps("person.\(number)@example.com") <= stranger + 15) }
    }

    @Test func smallBooksDoNotUseTheFilter() throws {
        let small = try Self.small()
        let (_, work) = try store.service.tracing { try searcher.discover(small) }
        #expect(!work.contains { $0.sql.contains("directory_lanes") })
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func theFilesAreClosedWhenTheServiceIsFreed() throws {
        let path = store.path
        // The thread that makes a filter may keep the files open a moment longer than the service.
        var filters: [DirectoryFilterCache] = []
        for _ in 0..<10 {
            try store.service.backUp(to: path + ".copy")
            try FileManager.default.copyItem(atPath: store.folder.file("kinfolk.key"), toPath: path + ".copy.key")
            do {
                let service = try Service(
                    path: FilePath(path + ".copy"),
                    key: .besideStore,
                    existingOnly: true,
                    wait: 20,
                    filteredFrom: 10
                )
                filters.append(service.filters)
                _ = try service.container(store.container.name).session(for: service.createAccount()).discover(book)
            }
            #expect(!FileManager.default.fileExists(atPath: path + ".copy-wal"))
            for end in ["", ".key", ".key.counter"] { try FileManager.default.removeItem(atPath: path + ".copy" + end) }
        }
        #expect(filters.count == 10)
    }

    @Test func theFilterWorksDuringAKeyRotation() throws {
        let before = try found(by: plain)
        _ = try store.service.rotateKeys { _ in
            #expect((try? found(by: searcher)) == before)
        }
        #expect(try found(by: searcher) == before)
        #expect(try found(by: plain) == before)
    }

    @Test func concurrentSearchesFindThePeopleWhoStayDiscoverable() throws {
        let (sessions, searcher) = (sessions, searcher)
        let book = book
        let isOver = Lock(false)
        try onThreads(4) { number in
            if number == 0 {
                defer { isOver.withLock { $0 = true } }
                for round in 0..<150 {
                    let session = sessions[round % 5]
                    try session.setDiscoverability(.denied, wording: TestService.wording)
                    try session.setDiscoverability(.granted, wording: TestService.wording)
                }
            } else {
                while !isOver.withLock({ $0 }) {
                    #expect(try searcher.discover(book).identities.count >= DirectoryFilterTests.people - 1)
                }
            }
        }
        #expect(try found(by: searcher) == found(by: plain))
    }

    @Test func aDecisionInAnotherProcessIsEffectiveImmediately() throws {
        let probe = try Probe("decide", store.path)
        var numbers = SystemRandomNumberGenerator()
        var granted = Set(0..<DirectoryFilterTests.people)
        for _ in 0..<200 {
            let number = Int.random(in: 0..<DirectoryFilterTests.people, using: &numbers)
            let isGranted = !granted.contains(number)
            try probe.tell("\(accounts[number].id) \(isGranted ? "granted" : "denied")")
            // Meanwhile the results for all other people do not change.
            let meanwhile = try people(by: searcher)
            #expect(meanwhile.subtracting([number]) == granted.subtracting([number]))
            try #require(probe.line() == "done")
            if isGranted { granted.insert(number) } else { granted.remove(number) }
            #expect(try people(by: searcher) == granted)
            #expect(try people(by: plain) == granted)
        }
        #expect(searcher.container.hasDirectoryFilter)
        _ = probe.finish()
    }

    private func people(by session: Session) throws -> Set<Int> {
        Set(try session.discover(book).identities.compactMap { Int($0.name.givenName.dropFirst("Person ".count)) })
    }
}
