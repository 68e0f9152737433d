import Kinfolk
import KinfolkAccess
import KinfolkModel
import KinfolkStorage
import ServiceSupport
import Testing

@Suite struct IdentityTests {
    private let store: TestService
    private let ada: Account
    private let bob: Account
    private let issuer = "https://id.example.com"

    init() throws {
        store = try TestService()
        ada = try store.account("Ada")
        bob = try store.account("Bob")
    }

    private func owner(_ subject: String, issuer: String? = nil) throws -> AccountID {
        let issuer = issuer ?? self.issuer
        let found = try store.service.account(issuer: issuer, subject: subject).id
        #expect(try store.reopened().account(issuer: issuer, subject: subject).id == found)
        return found
    }

    @Test func anAccountIsFoundByItsIdentities() throws {
        try ada.addIdentity(issuer: issuer, subject: "1815")
        store.clock.advance(seconds: 1)
        try ada.addIdentity(issuer: "proxy", subject: "ada")
        try bob.addIdentity(issuer: issuer, subject: "1816")
        #expect(try owner("1815") == ada.id)
        #expect(try owner("ada", issuer: "proxy") == ada.id)
        #expect(try owner("1816") == bob.id)
        #expect(try ada.identities().map(\.subject) == ["1815", "ada"])
        #expect(try ada.identities().map(\.issuer) == [issuer, "proxy"])
        for (issuer, subject) in [
            (issuer, "1814"), ("https://id.example.co", "m1815"), (issuer + "/", "1815"), ("1815", issuer),
            ("HTTPS://id.example.com", "1815"), (issuer, "ada"),
        ] {
            expect(.unknownItem) { try store.service.account(issuer: issuer, subject: subject) }
        }
    }

    @Test func subjectsAreComparedByTheirBytes() throws {
        try ada.addIdentity(issuer: issuer, subject: "caf\u{e9}")
        try bob.addIdentity(issuer: issuer, subject: "cafe\u{301}")
        #expect(try owner("caf\u{e9}") == ada.id)
        #expect(try owner("cafe\u{301}") == bob.id)
        try bob.removeIdentity(issuer: issuer, subject: "cafe\u{301}")
        #expect(try owner("caf\u{e9}") == ada.id)
    }

    @Test func anIdentityBelongsToOneAccount() throws {
        try ada.addIdentity(issuer: issuer, subject: "1815")
        try ada.addIdentity(issuer: issuer, subject: "1815")
        expect(.conflict) { try bob.addIdentity(issuer: issuer, subject: "1815") }
        expect(.unknownItem) { try bob.removeIdentity(issuer: issuer, subject: "1815") }
        #expect(try owner("1815") == ada.id)
        try ada.removeIdentity(issuer: issuer, subject: "1815")
        expect(.unknownItem) { try ada.removeIdentity(issuer: issuer, subject: "1815") }
        expect(.unknownItem) { try store.service.account(issuer: issuer, subject: "1815") }
        try bob.addIdentity(issuer: issuer, subject: "1815")
        #expect(try owner("1815") == bob.id)
        #expect(try ada.identities() == [])
    }

    @Test func ofManyAccountsAtOnceOneGetsAnIdentity() throws {
        let (service, issuer) = (store.service, issuer)
        let added = try concurrently(6) {
            let account = try service.createAccount()
            do throws(KinfolkError) {
                try account.addIdentity(issuer: issuer, subject: "1815")
                return true
            } catch  where error.code == .conflict {
                return false
            }
        }
        #expect(added.count { $0 } == 1)
    }

    @Test func anAccountHasFewIdentities() throws {
        for number in 1...20 { try ada.addIdentity(issuer: issuer, subject: "\(number)") }
        expect(.limitExceeded) { try ada.addIdentity(issuer: issuer, subject: "21") }
        try ada.addIdentity(issuer: issuer, subject: "20")
        try bob.addIdentity(issuer: issuer, subject: "21")
    }

    @Test func lengthsAreLimited() throws {
        let long = String(repeating: "a", count: 2_048)
        let subject = String(repeating: "b", count: 255)
        try ada.addIdentity(issuer: long, subject: subject)
        #expect(try owner(subject, issuer: long) == ada.id)
        for (issuer, subject) in [
            ("", "1"), (issuer, ""), (long + "a", "1"), (issuer, subject + "b"), (issuer, "a\0b"),
        ] {
            expect(.invalidArgument) { try ada.addIdentity(issuer: issuer, subject: subject) }
            expect(.invalidArgument) { try ada.removeIdentity(issuer: issuer, subject: subject) }
            expect(.invalidArgument) { try store.service.account(issuer: issuer, subject: subject) }
        }
    }

    @Test func erasingFreesAnIdentity() throws {
        try ada.addIdentity(issuer: issuer, subject: "1815")
        #expect(try ada.export().contains("1815"))
        _ = try ada.erase()
        expect(.unknownItem) { try store.service.account(issuer: issuer, subject: "1815") }
        expect(.unknownItem) { try ada.addIdentity(issuer: issuer, subject: "1815") }
        expect(.unknownItem) { try ada.identities() }
        try bob.addIdentity(issuer: issuer, subject: "1815")
        #expect(try owner("1815") == bob.id)
    }

    @Test(arguments: [false, true]) func aRotationKeepsIdentities(isLeaked: Bool) throws {
        var owners: [String: AccountID] = [:]
        // More than a batch.
        for number in 0..<15 {
            let account = try store.account("Person")
            for identity in 0..<20 {
                let subject = "\(number).\(identity)"
                try account.addIdentity(issuer: issuer, subject: subject)
                owners[subject] = account.id
            }
        }
        _ = try store.service.rotateKeys(isLeaked: isLeaked) { _ in
            do {
                #expect(try store.service.account(issuer: issuer, subject: "3.7").id == owners["3.7"])
                expect(.conflict) { try ada.addIdentity(issuer: issuer, subject: "3.7") }
                if try bob.identities().isEmpty { try bob.addIdentity(issuer: issuer, subject: "new") }
            } catch { Issue.record(error) }
        }
        for (subject, account) in owners {
            #expect(try store.service.account(issuer: issuer, subject: subject).id == account)
        }
        #expect(try owner("new") == bob.id)
        #expect(try store.service.check().isSound)
    }

    @Test func theStoreDoesNotShowSubjects() throws {
        try ada.addIdentity(issuer: issuer, subject: "1815")
        let tag = try store.service.read { db in try db.first("SELECT tag FROM linked_identities") { $0.bytes(0) } }
        let other = try TestService()
        try other.account("Ada").addIdentity(issuer: issuer, subject: "1815")
        let otherTag = try other.service.read { db in
            try db.first("SELECT tag FROM linked_identities") { $0.bytes(0) }
        }
        // The tag depends on the key.
        #expect(tag?.count == 16 && tag != otherTag)
        #expect("\(try ada.identities())".contains("1815") == false)
    }
}
