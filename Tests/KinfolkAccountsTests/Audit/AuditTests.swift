import Foundation
import Kinfolk
import ServiceSupport
import TestSupport
import Testing

@Suite struct AuditTests {
    private let store: TestService
    private let ada: Session

    init() throws {
        store = try TestService()
        ada = try store.session("Ada", emails: "ada@example.com")
    }

    @Test func aLookupFindsTheAccountAndLeavesAnEntry() throws {
        let id = try ada.userRecordID()
        #expect(try store.container.account(of: id, reason: "Ticket 1").id == ada.account)
        store.clock.advance(seconds: 5)
        #expect(try store.container.account(of: id, reason: "Ticket 2").name().givenName == "Ada")
        let log = try store.reopened().auditLog()
        #expect(log.map(\.number) == [1, 2])
        #expect(log.map(\.reason) == ["Ticket 1", "Ticket 2"])
        #expect(log.map(\.userRecordID) == [id, id])
        #expect(log.map(\.container) == ["com.example.notes", "com.example.notes"])
        #expect(log[1].notedAt.microseconds - log[0].notedAt.microseconds == 5_000_000)
    }

    @Test func aLookupThatFindsNobodyLeavesAnEntryToo() throws {
        let chat = try store.service.createContainer("com.example.chat")
        let id = try ada.userRecordID()
        expect(.unknownItem) { try chat.account(of: id, reason: "Ticket 3") }
        #expect(try store.service.auditLog().map(\.userRecordID) == [id])
    }

    @Test func aLookupNeedsAReason() throws {
        let id = try ada.userRecordID()
        expect(.invalidArgument) { try store.container.account(of: id, reason: "") }
        expect(.limitExceeded) { try store.container.account(of: id, reason: String(repeating: "x", count: 1_025)) }
        #expect(try store.service.auditLog().isEmpty)
    }

    @Test func theLogIsReadInPages() throws {
        for number in 1...5 { _ = try store.container.account(of: ada.userRecordID(), reason: "Ticket \(number)") }
        #expect(try store.service.auditLog(limit: 2).map(\.number) == [1, 2])
        #expect(try store.service.auditLog(after: 2, limit: 2).map(\.number) == [3, 4])
        #expect(try store.service.auditLog(after: 5).isEmpty)
        #expect(try store.service.auditLog(limit: -1).isEmpty)
    }

    @Test func anErasureKeepsEntriesWithoutTheirSubject() throws {
        _ = try store.container.account(of: ada.userRecordID(), reason: "Ticket 4")
        _ = try store.account(of: ada).erase()
        let entry = try #require(store.service.auditLog().first)
        #expect(entry.userRecordID == nil)
        #expect(entry.reason == nil)
        #expect(entry.container == "com.example.notes")
        #expect(
            try store.number("SELECT count(*) FROM audit WHERE record_id IS NOT NULL OR sealed_reason IS NOT NULL") == 0
        )
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func aReasonIsSealedAndAnExportHasOnlyTheDate() throws {
        _ = try store.container.account(of: ada.userRecordID(), reason: "A report by Grace")
        #expect(try store.folder.allBytes().range(of: Data("Grace".utf8)) == nil)
        let export = try store.account(of: ada).export()
        #expect(export.contains("looked_up_at"))
        #expect(!export.contains("Grace"))
    }
}
