import Kinfolk
import KinfolkStorage
import KinfolkThreads
import ServiceSupport
import TestSupport
import Testing

/// A private directory is built while people change.
@Suite struct DirectoryBuildTests {
    private let store: TestService

    init() throws { store = try TestService() }

    private func rows() throws -> Int { try store.number("SELECT count(*) FROM private_directory") }

    private func people(_ count: Int) throws -> [Session] {
        try (0..<count).map {
            try store.discoverable("Person \($0)", emails: "p\($0)@example.com", "p\($0)@example.org")
        }
    }

    private func book(_ count: Int) throws -> ContactBook {
        var book = ContactBook()
        for index in 0..<count {
            try book.add(email: "p\(index)@example.com")
            try book.add(email: "p\(index)@example.org")
        }
        return book
    }

    @Test func anInterruptedBuildIsResumedAndAnswersNothingBefore() throws {
        _ = try people(10)
        let seeker = try store.session("Seeker", emails: "seeker@example.com")
        let epoch = try store.container.beginPrivateEpoch()
        #expect(try store.container.buildBatch(of: epoch, size: 4) == 4)
        #expect(try rows() > 0)
        #expect(try store.container.directoryModes() == .hashed)
        expect(.unknownItem) { try seeker.discoverPrivately(book(10)) }
        // Another process resumes the build, and does not start again.
        let other = try store.reopened().container("com.example.notes")
        try other.setDirectoryModes([.hashed, .private])
        #expect(try other.privateEpochs().map(\.number) == [epoch])
        #expect(try rows() == 20)
        #expect(try store.container.privateEpochs().map(\.rowCount) == [20])
        #expect(try seeker.discoverPrivately(book(10)).identities.count == 10)
    }

    @Test func changesDuringABuildAreInTheDirectory() throws {
        let sessions = try people(8)
        let epoch = try store.container.beginPrivateEpoch()
        _ = try store.container.buildBatch(of: epoch, size: 3)
        for session in sessions.prefix(4) { try session.setDiscoverability(.denied, wording: TestService.wording) }
        for session in sessions.prefix(2) { try session.setDiscoverability(.granted, wording: TestService.wording) }
        try store.account(of: sessions[5]).removeEmail(EmailAddress("p5@example.com"))
        try store.account(of: sessions[6]).suspend()
        _ = try store.account(of: sessions[7]).erase()
        while try store.container.buildBatch(of: epoch, size: 3) != nil {}
        #expect(try rows() == 7)
        #expect(try store.container.privateEpochs().map(\.rowCount) == [7])
        let seeker = try store.session("Seeker", emails: "seeker@example.com")
        #expect(try seeker.discoverPrivately(book(8)).identities == seeker.discover(book(8)).identities)
    }

    @Test func bothDirectoriesAgreeAfterConcurrentChanges() throws {
        let sessions = try people(24)
        let isDone = Flag()
        try onThreads(3) { [store] thread in
            if thread == 0 {
                defer { isDone.set() }
                for _ in 0..<4 {
                    let epoch = try store.container.beginPrivateEpoch()
                    while try store.container.buildBatch(of: epoch, size: 2) != nil {}
                    try store.container.endPrivateEpochs(before: epoch)
                }
            } else {
                var number = thread
                while !isDone.isSet {
                    number = (number &* 7 &+ 3) % 24
                    let session = sessions[number / 2 * 2 + thread - 1]
                    try session.setDiscoverability(.denied, wording: TestService.wording)
                    try session.setDiscoverability(.granted, wording: TestService.wording)
                }
            }
        }
        #expect(try rows() == 48)
        #expect(try store.container.privateEpochs().map(\.rowCount) == [48])
        let seeker = try store.session("Seeker", emails: "seeker@example.com")
        #expect(try seeker.discoverPrivately(book(24)).identities.count == 24)
    }

    @Test func aPersonErasedWhileADirectoryEndsLeavesNoRow() throws {
        let sessions = try people(3)
        try store.container.setDirectoryModes([.hashed, .private])
        let hashed = try store.number("SELECT count(*) FROM directory")
        // The state that a process leaves if it ends during the work.
        try store.service.write { db in
            try db.execute("UPDATE directories SET state = 2, sealed_seed = $1", .bytes([]))
            try db.execute("UPDATE service SET value = $1 WHERE name = 'key_stamp'", .bytes((0..<16).map { $0 }))
        }
        #expect(try store.container.directoryModes() == [])
        _ = try store.account(of: sessions[0]).erase()
        try sessions[1].setDiscoverability(.denied, wording: TestService.wording)
        #expect(try rows() == 2)
        #expect(try store.number("SELECT count(*) FROM directory") == hashed - 4)
        try store.container.setDirectoryModes(.private)
        #expect(try rows() == 2)
        #expect(try store.number("SELECT count(*) FROM directory") == 0)
    }
}
