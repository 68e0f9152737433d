import Foundation
import KinfolkCore
import KinfolkModel
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

@testable import Kinfolk

@Suite struct ErasureTests {
    private let store: TestService
    private let account: Account

    /// An account that has used all features.
    init() throws {
        store = try TestService()
        account = try store.account("Adaline", emails: "adaline@example.com", "adaline@example.org")
        for container in [store.container, try store.service.createContainer("com.example.chat")] {
            let session = try container.session(for: account)
            try session.setDiscoverability(.granted, wording: TestService.wording)
            var record = try session.fetchUserRecord()
            try record.set("color", to: .string("green"))
            _ = try session.save(record)
            _ = try session.discover(book("bob@example.com"))
        }
        try account.addEmail("adaline@example.net")
        _ = try account.requestVerification(of: EmailAddress("adaline@example.net"))
    }

    @Test func theReceiptCountsTheDeletedRows() throws {
        let erasure = try account.erase()
        #expect(erasure.emails == 3)
        #expect(erasure.containers == 2)
        #expect(erasure.records == 4, "a public and a private one in each container")
        #expect(!erasure.isPending)
    }

    @Test func dataOfOthersIsKept() throws {
        let bob = try store.discoverable("Bob", emails: "bob@example.org")
        _ = try bob.save(bob.fetchUserRecord())
        _ = try account.erase()
        #expect(try store.directoryRows() == [1, 1])
        #expect(bob.accountStatus() == .available)
        #expect(try store.session("Seeker").discover(EmailAddress("bob@example.org"))?.name.givenName == "Bob")
    }

    /// IDs, tags and sealed values are random: none of them is in the files by chance.
    @Test(.enabled(if: TemporaryFolder.hasFiles)) func noByteOfThePersonIsLeftInTheFiles() throws {
        let traces = try traces()
        #expect(traces.count > 20)
        // Before the erasure the search finds the IDs, tags and sealed values.
        let before = try store.folder.allBytes()
        #expect(traces.allSatisfy { before.range(of: $0) != nil })
        let erasure = try account.erase()
        #expect(!erasure.isPending)
        let after = try store.folder.allBytes()
        for trace in traces { #expect(after.range(of: trace) == nil) }
    }

    private func expectNoRows() throws {
        for table in Tables.all where table.isOfPerson(Tables.all) {
            let count = try store.service.read { db in
                let sql = "SELECT count(*) FROM \(table.name) WHERE \(table.isOfSomebody)"
                return try db.using(composed: sql, []) { try $0.step() ? $0.integer(0) : -1 }
            }
            #expect(count == 0, "\(table.name)")
        }
    }

    /// The IDs, tags, codes and sealed values of all rows of the person.
    private func traces() throws -> [Data] {
        try store.service.read { db in
            var traces = try db.all("SELECT tag FROM directory") { Data($0.bytes(0)) }
            for (table, structure) in try Tables.described() {
                for condition in table.conditions(ofAccount: Tables.all) {
                    for column in structure.columns where column.type == .bytes {
                        let sql = "SELECT \(column.name) FROM \(table.name) WHERE \(condition)"
                        try db.using(composed: sql, [.id(account.id.value)]) { row in
                            while try row.step() {
                                if row.bytes(0).count >= 8 { traces.append(Data(row.bytes(0))) }
                            }
                        }
                    }
                }
            }
            return traces
        }
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func anErasureIsPendingWhileAReaderHoldsTheLog() throws {
        let traces = try traces()
        let elsewhere = try store.reopened()
        try elsewhere.read { db in
            _ = try db.first("SELECT count(*) FROM accounts") { $0.integer(0) }
            #expect(try account.erase().isPending)
            #expect(try store.number("SELECT count(*) FROM accounts") == 0)
        }
        _ = try store.service.createAccount()
        let after = try store.folder.allBytes()
        for trace in traces { #expect(after.range(of: trace) == nil) }
    }

    @Test func aFailedErasureChangesNothing() throws {
        let store = try TestService(wait: 0.05)
        let account = try store.account("Adaline", emails: "adaline@example.com")
        let probe = try Probe("hold-service", store.path)
        #expect(probe.line() == "holding")
        expect(.serviceUnavailable) { try account.erase() }
        #expect(try account.name().givenName == "Adaline", "nothing half done")
        _ = probe.finish()
        #expect(try !account.erase().isPending)
    }

    @Test func anAccountWhoseAddressDoesNotOpenCanBeSuspendedAndErased() throws {
        _ = try store.service.write { db in
            try db.execute("UPDATE emails SET sealed_address = $1", .bytes([UInt8](repeating: 0, count: 100)))
        }
        #expect(try store.directoryRows() != [0, 0])
        try account.suspend()
        #expect(try store.directoryRows() == [0, 0])
        expect(.storeCorrupt) { try account.resume() }
        _ = try account.erase()
        try expectNoRows()
    }

    @Test func theSameAddressCanSignUpAgainAsANewPerson() throws {
        let id = try store.container.session(for: account).userRecordID()
        _ = try account.erase()
        let again = try store.discoverable("Adaline", emails: "adaline@example.com")
        #expect(try again.userRecordID() != id)
        #expect(try again.fetchUserRecord().keys.isEmpty)
    }

    @Test func erasingASuspendedAccountLeavesNothing() throws {
        try account.suspend()
        _ = try account.erase()
        try expectNoRows()
    }

    @Test func codesOfARemovedAddressAreErasedToo() throws {
        try account.removeEmail(EmailAddress("adaline@example.net"))
        #expect(try store.number("SELECT count(*) FROM verification_codes") == 1)
        _ = try account.erase()
        #expect(try store.number("SELECT count(*) FROM verification_codes") == 0)
    }
}
