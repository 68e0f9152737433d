import Foundation
import Kinfolk
import ServiceSupport
import TestSupport
import Testing

/// An error that the progress function throws ends the call, and the next call resumes the work.
@Suite struct CancellationTests {
    private let store: TestService
    private let account: Account

    init() throws {
        store = try TestService()
        account = try store.account("Ada", emails: "ada@example.com")
        try store.container.session(for: account).setDiscoverability(.granted, wording: TestService.wording)
    }

    private func isFound() throws -> Bool {
        let email = try EmailAddress("ada@example.com")
        return try store.session("Bob").discover(email)?.userRecordID
            == store.container.session(for: account).userRecordID()
    }

    @Test func aRotationIsResumed() throws {
        var calls = 0
        expect(.cancelled) {
            try store.service.rotateKeys { _ throws(KinfolkError) in
                calls += 1
                throw .cancelled
            }
        }
        #expect(calls == 1)
        #expect(try isFound())
        #expect(try store.number("SELECT count(DISTINCT epoch) FROM root_keys") == 2)
        _ = try store.service.rotateKeys()
        #expect(try store.number("SELECT count(DISTINCT epoch) FROM root_keys") == 1)
        #expect(try isFound())
    }

    /// When the last rows are deleted or written, there is nothing left to end: the caller gets the result.
    @Test func finishedWorkIsNotCancelled() throws {
        let deletion = try store.service.deleteContainer("com.example.notes") { progress throws(KinfolkError) in
            if progress.people == progress.total { throw .cancelled }
        }
        #expect(deletion.people == 1)
        let file = store.folder.file("people.csv")
        try Data("email\np1@example.com\np2@example.com\n".utf8).write(to: URL(fileURLWithPath: file))
        let container = try store.service.createContainer("com.example.other")
        let imported = try store.service.importPeople(fromFile: file, into: container) {
            progress throws(KinfolkError) in
            if progress.created == 2 { throw .cancelled }
        }
        #expect(imported.created == 2)
    }

    @Test func workOnDirectoriesIsResumed() throws {
        expect(.cancelled) {
            try store.container.setDirectoryModes([.hashed, .private]) { _ throws(KinfolkError) in throw .cancelled }
        }
        #expect(try store.container.directoryModes() == .hashed)
        #expect(try isFound())
        try store.container.setDirectoryModes([.hashed, .private])
        #expect(try store.container.directoryModes() == [.hashed, .private])
        expect(.cancelled) {
            try store.container.renewPrivateKey { _ throws(KinfolkError) in throw .cancelled }
        }
        #expect(try store.container.privateEpochs().map(\.isComplete) == [false, true])
        #expect(try store.container.renewPrivateKey().number == 2)
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func aCancelledBackupLeavesNothing() throws {
        let copy = store.folder.file("copy.db")
        expect(.cancelled) { try store.service.backUp(to: copy) { _, _ throws(KinfolkError) in throw .cancelled } }
        try store.service.backUp(to: copy)
    }

    @Test func aCopyIsResumed() throws {
        let copy = store.folder.store("copy.db")
        for step in [StoreCopy.Progress.Step.comparing, .copying, .verifying] {
            expect(.cancelled) {
                try store.service.copy(to: copy) { done throws(KinfolkError) in
                    if done.step == step { throw .cancelled }
                }
            }
        }
        #expect(try store.service.copy(to: copy).rows > 0)
    }

    @Test func aCancelledImportKeepsTheAccountsThatItCreated() throws {
        let file = store.folder.file("people.csv")
        let rows = (0..<30).map { "Given\($0),p\($0)@example.com" }.joined(separator: "\n")
        try "given_name,email\n\(rows)\n".write(toFile: file, atomically: true, encoding: .utf8)
        expect(.cancelled) {
            try store.service.importPeople(fromFile: file, into: store.container) { _ throws(KinfolkError) in
                throw .cancelled
            }
        }
        let again = try store.service.importPeople(fromFile: file, into: store.container)
        #expect(again.created + again.skippedCount == 30)
        #expect(try store.service.account(email: EmailAddress("p29@example.com")).name().givenName == "Given29")
    }
}
