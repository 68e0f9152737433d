import Kinfolk
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

/// What a person leaves in the public database counts for the quota of a creator also after the person comes back with the same address.
@Suite struct CreatorDebtTests {
    private static let quota = 64_000

    private let store: TestService
    private let address = "ada@example.com"
    private let grace: Session

    init() throws {
        store = try TestService()
        grace = try store.session("Grace", emails: "grace@example.com")
        try store.container.applySchema(
            """
            DEFINE SCHEMA
            RECORD TYPE Note (content BYTES, GRANT READ TO "_world", GRANT CREATE TO "_icloud", GRANT WRITE TO "_creator");
            RECORD TYPE Paper (content BYTES, file ASSET, GRANT READ TO "_world", GRANT CREATE, WRITE TO "_icloud");
            """
        )
        try store.container.setQuota(.creator, to: CreatorDebtTests.quota)
    }

    private func record(_ bytes: Int, _ type: String = "Note") throws -> Record {
        var record = try Record(type: type)
        try record.set("content", to: .bytes([UInt8](repeating: 7, count: bytes)))
        return record
    }

    /// Saves records until the quota is reached, and returns them.
    @discardableResult
    private func fill(_ session: Session, with bytes: Int = 3_800, _ type: String = "Note") throws -> [Record] {
        var records: [Record] = []
        while records.count < 100 {
            do { records.append(try session.publicDatabase.save(record(bytes, type))) } catch let error as KinfolkError
                where error.code == .quotaExceeded
            { break }
        }
        return records
    }

    /// The bytes of the public database.
    private func stored() throws -> Int { try store.container.statistics().publicBytes }

    private func expectSound() throws { #expect(try store.service.check().findings == []) }

    @Test(arguments: [3_800, 30_000])
    func erasingAndComingBackGivesNoSecondQuota(bytes: Int) throws {
        for _ in 0..<4 {
            let session = try store.session(emails: address)
            try fill(session, with: bytes)
            _ = try store.account(of: session).erase(keepsPublicRecords: true)
        }
        #expect(try stored() > CreatorDebtTests.quota / 2 && stored() <= CreatorDebtTests.quota)
        try expectSound()
    }

    @Test func smallAmountsAddUp() throws {
        for _ in 0..<40 {
            let session = try store.session(emails: address)
            _ = try? session.publicDatabase.save(record(3_000))
            _ = try store.account(of: session).erase(keepsPublicRecords: true)
        }
        #expect(try stored() <= CreatorDebtTests.quota)
        // All of them are counted for one erased creator.
        #expect(try store.number("SELECT count(*) FROM record_bytes WHERE kind = 1 AND bytes > 0") == 1)
        try expectSound()
    }

    @Test func anotherSpellingOfTheAddressIsTheSameAddress() throws {
        let session = try store.session(emails: address)
        try fill(session)
        _ = try store.account(of: session).erase(keepsPublicRecords: true)
        #expect(try fill(store.session(emails: "ADA@Example.COM")).isEmpty)
    }

    @Test func eachAddressOfAnErasedAccountRemembersItAndNoneTwice() throws {
        let session = try store.session(emails: address, "second@example.com")
        for _ in 0..<6 { _ = try session.publicDatabase.save(record(3_800)) }
        let before = try session.storageUse().publicBytes
        #expect(try store.account(of: session).erase(keepsPublicRecords: true).rememberedEmails == 2)
        for address in [address, "second@example.com"] {
            let again = try store.session(emails: address)
            let use = try again.storageUse().publicBytes
            // Rounded up to a sixteenth of the quota.
            #expect(use >= before && use < before + CreatorDebtTests.quota / 16)
            _ = try store.account(of: again).erase()
        }
        let both = try store.session(emails: address, "second@example.com")
        #expect(try both.storageUse().publicBytes < before + CreatorDebtTests.quota / 16)
        #expect(try fill(both).count == 10)
    }

    @Test func keptRecordsThatAreDeletedCountNoMore() throws {
        let session = try store.session(emails: address)
        let records = try fill(session, "Paper")
        _ = try store.account(of: session).erase(keepsPublicRecords: true)
        let again = try store.session(emails: address)
        #expect(try fill(again).isEmpty)
        // Somebody else changes one of them before.
        var changed = try grace.publicDatabase.fetch(records[0].id)
        try changed.set("content", to: .bytes([1]))
        _ = try grace.publicDatabase.save(changed)
        for record in records { try grace.publicDatabase.delete(record.id) }
        #expect(try again.storageUse().publicBytes == 0)
        #expect(try fill(again).count == records.count)
        try expectSound()
    }

    @Test func aKeptRecordCannotGrowBeyondTheQuotaOfItsCreator() throws {
        let session = try store.session(emails: address)
        var kept = try session.publicDatabase.save(record(10, "Paper"))
        _ = try store.account(of: session).erase(keepsPublicRecords: true)
        kept = try grace.publicDatabase.fetch(kept.id)
        try kept.set("content", to: .bytes([UInt8](repeating: 1, count: CreatorDebtTests.quota)))
        #expect(throws: KinfolkError(.quotaExceeded, "")) { try grace.publicDatabase.save(kept) }
        try kept.set("content", to: .bytes([UInt8](repeating: 1, count: CreatorDebtTests.quota - 2_000)))
        _ = try grace.publicDatabase.save(kept)
        #expect(try fill(store.session(emails: address)).isEmpty)
        try expectSound()
    }

    @Test func assetsThatRecordsOfOthersHaveCountToo() throws {
        let session = try store.session(emails: address)
        // Everybody may write papers, so the person adds a file to one of somebody else.
        let other = try grace.publicDatabase.save(record(1, "Paper"))
        var paper = try session.publicDatabase.fetch(other.id)
        try paper.set("file", to: .asset(session.publicDatabase.upload([UInt8](repeating: 1, count: 50_000))))
        _ = try session.publicDatabase.save(paper)
        // The records of the person go, and the asset stays.
        _ = try store.account(of: session).erase()
        let again = try store.session(emails: address)
        #expect(throws: KinfolkError(.quotaExceeded, "")) {
            try again.publicDatabase.upload([UInt8](repeating: 1, count: 20_000))
        }
        try expectSound()
        try store.service.recountBytes()
        try expectSound()
        try grace.publicDatabase.delete(other.id)
        _ = try again.publicDatabase.upload([UInt8](repeating: 1, count: 50_000))
        try expectSound()
    }

    enum Loss: CaseIterable { case removed, transferred, claimed }

    @Test(arguments: Loss.allCases)
    func anAccountThatLosesItsLastAddressCountsForTheNextOne(loss: Loss) throws {
        let session = try store.session(emails: address)
        let records = try fill(session)
        let other = try lose(address, of: session, by: loss)
        #expect(try fill(other).isEmpty)
        for record in records { try session.publicDatabase.delete(record.id) }
        #expect(try fill(other).count == records.count)
        // The account that lost the address gets it back: its own bytes count once.
        try store.service.transferEmail(address, to: store.account(of: session))
        #expect(try fill(session).isEmpty)
        try expectSound()
    }

    @Test func anAccountWithoutItsLastAddressCreatesNothingMore() throws {
        let session = try store.session(emails: address)
        let account = try store.account(of: session)
        let id = try session.publicDatabase.save(record(100)).id
        try account.removeEmail(EmailAddress(address))
        #expect(throws: KinfolkError(.quotaExceeded, "")) { try session.publicDatabase.save(record(100)) }
        // Without it, as many accounts as there are removals could create records later.
        for _ in 0..<4 {
            let other = try store.session(emails: address)
            try store.account(of: other).removeEmail(EmailAddress(address))
            #expect(try fill(other).isEmpty)
        }
        try session.publicDatabase.delete(id)
        // Its own bytes count once for an account that proves the address again, and those of an account with another address not.
        try account.addEmail(address, verified: true)
        let count = try fill(session).count
        try account.removeEmail(EmailAddress(address))
        try account.addEmail(address, verified: true)
        #expect(try session.storageUse().publicBytes <= CreatorDebtTests.quota)
        try account.addEmail("second@example.com", verified: true)
        try account.removeEmail(EmailAddress(address))
        #expect(count > 10)
        #expect(try fill(store.session("Other", emails: "other@example.com")).count == count)
        try expectSound()
    }

    /// Moves an address away from the account of a session, and returns a session of the account that has it then.
    private func lose(_ address: String, of session: Session, by loss: Loss) throws -> Session {
        let next = try store.service.createAccount()
        switch loss {
        case .removed:
            try store.account(of: session).removeEmail(EmailAddress(address))
            try next.addEmail(address, verified: true)
        case .transferred: try store.service.transferEmail(address, to: next)
        case .claimed:
            let claim = try #require(try next.addEmail(address, verified: true)?.claim)
            try store.service.acknowledgeNotice(of: claim.id)
            store.clock.advance(seconds: 2 * 86_400)
            #expect(try next.addEmail(address, verified: true) == .verified)
        }
        return try store.container.session(for: next)
    }

    @Test(arguments: Loss.allCases)
    func anErasureAfterTheLossOfTheLastAddressGivesNoSecondQuota(loss: Loss) throws {
        var session = try store.session(emails: address)
        for cycle in 0..<4 {
            try fill(session)
            let next = try lose(address, of: session, by: loss)
            // Of the address, the user and its alias, and that the account has no address.
            if cycle == 0 { #expect(try store.number("SELECT count(*) FROM address_history") == 4) }
            _ = try store.account(of: session).erase(keepsPublicRecords: true)
            session = next
        }
        #expect(try stored() > CreatorDebtTests.quota / 2 && stored() <= CreatorDebtTests.quota)
        // Nothing refers to the erased accounts.
        #expect(try store.number("SELECT count(*) FROM address_history") == 1)
        try expectSound()
        // All that was kept counts for one erased creator.
        #expect(try store.number("SELECT count(*) FROM record_bytes WHERE kind = 1 AND bytes > 0") == 1)
    }

    @Test func anAccountWithoutItsLastAddressCreatesNothingInContainersThatItUsesLater() throws {
        for _ in 0..<4 {
            let account = try store.service.createAccount()
            try account.addEmail(address, verified: true)
            try account.removeEmail(EmailAddress(address))
            #expect(try fill(store.container.session(for: account)).isEmpty)
            _ = try account.erase()
        }
        let account = try store.service.createAccount()
        try account.addEmail(address, verified: true)
        try account.removeEmail(EmailAddress(address))
        let session = try store.container.session(for: account)
        #expect(try fill(session).isEmpty)
        try account.addEmail(address, verified: true)
        #expect(try fill(session).count > 10)
        #expect(try store.number("SELECT count(*) FROM address_history") == 1)
    }

    @Test func whatAnAccountCreatesAfterTheLossDoesNotCountForTheLostAddress() throws {
        let session = try store.session(emails: address)
        _ = try session.publicDatabase.save(record(100))
        let next = try lose(address, of: session, by: .transferred)
        let before = try next.storageUse().publicBytes
        #expect(before > 0 && before <= CreatorDebtTests.quota / 16)
        try store.account(of: session).addEmail("second@example.com", verified: true)
        #expect(try fill(session).count > 10)
        #expect(try next.storageUse().publicBytes == before)
        _ = try store.account(of: session).erase(keepsPublicRecords: true)
        #expect(try next.storageUse().publicBytes <= before)
        #expect(try fill(next).count > 10)
        #expect(try fill(store.session("Second", emails: "second@example.com")).isEmpty)
        try expectSound()
    }

    enum Change: CaseIterable { case replaced, replacedAndErased, verifiedAndErased }

    /// With an address that is used for each new account, and another one that every account gets later.
    @Test(arguments: Change.allCases)
    func twoAddressesGiveTwoQuotas(change: Change) throws {
        let second = "second@example.com"
        for address in [address, second] {
            let session = try store.session(emails: address)
            _ = try session.publicDatabase.save(record(100))
            _ = try store.account(of: session).erase(keepsPublicRecords: true)
        }
        var previous: Account?
        for _ in 0..<6 {
            let account = try store.service.createAccount()
            // The other address comes first, although it is verified later.
            if change == .verifiedAndErased { try account.addEmail(second) }
            try account.addEmail(address, verified: true)
            let session = try store.container.session(for: account)
            try fill(session)
            try previous?.removeEmail(EmailAddress(second))
            if change == .replacedAndErased { try account.removeEmail(EmailAddress(address)) }
            try account.addEmail(second, verified: true)
            if change == .replaced { try account.removeEmail(EmailAddress(address)) }
            try fill(session)
            if change == .replaced { previous = account } else { _ = try account.erase(keepsPublicRecords: true) }
        }
        #expect(try stored() > CreatorDebtTests.quota / 2 && stored() <= 2 * CreatorDebtTests.quota)
        try expectSound()
    }

    @Test func manyAccountsThatLoseTheSameAddressCountTogether() throws {
        for _ in 0..<40 {
            let session = try store.session(emails: address)
            _ = try? session.publicDatabase.save(record(3_000))
            try store.account(of: session).removeEmail(EmailAddress(address))
        }
        #expect(try stored() > CreatorDebtTests.quota / 2 && stored() <= CreatorDebtTests.quota)
        try expectSound()
    }

    @Test func anAccountThatKeepsAnAddressPassesNothingOn() throws {
        let session = try store.session(emails: address, "second@example.com")
        let records = try fill(session)
        try store.account(of: session).removeEmail(EmailAddress(address))
        #expect(try fill(store.session(emails: address)).count == records.count)
    }

    @Test func whatIsRememberedSurvivesARotationAndARestart() throws {
        let session = try store.session(emails: address)
        try fill(session)
        _ = try store.account(of: session).erase(keepsPublicRecords: true)
        _ = try store.service.rotateKeys()
        try expectSound()
        let service = try store.reopened()
        let account = try service.createAccount()
        try account.addEmail(address, verified: true)
        #expect(try fill(service.container("com.example.notes").session(for: account)).isEmpty)
    }

    @Test func itIsForgottenAfterThirtyDays() throws {
        let session = try store.session(emails: address)
        let records = try fill(session)
        let erasure = try store.account(of: session).erase(keepsPublicRecords: true)
        #expect(erasure.rememberedEmails == 1)
        let until = try #require(erasure.rememberedUntil)
        let days = until.seconds(since: store.clock.now) / 86_400
        #expect(days > 29 && days <= 30)
        store.clock.advance(seconds: until.seconds(since: store.clock.now) - 1)
        #expect(try fill(store.session("B", emails: address)).isEmpty)
        store.clock.advance(seconds: 61)
        _ = try store.service.createAccount()
        #expect(try store.number("SELECT count(*) FROM address_history") == 0)
        let account = try store.service.account(email: EmailAddress(address))
        #expect(try fill(store.container.session(for: account)).count == records.count)
        try expectSound()
    }

    @Test func withoutAQuotaOrWithoutKeptRecordsNothingIsRemembered() throws {
        let first = try store.session(emails: address)
        _ = try first.publicDatabase.save(record(100))
        #expect(try store.account(of: first).erase().rememberedEmails == 0)
        try store.container.setQuota(.creator, to: nil)
        let session = try store.session(emails: address)
        _ = try session.publicDatabase.save(record(100))
        #expect(try store.account(of: session).erase(keepsPublicRecords: true).rememberedEmails == 0)
        #expect(try store.number("SELECT count(*) FROM address_history") == 0)
        #expect(try store.number("SELECT count(*) FROM record_bytes WHERE kind = 1 AND bytes <> 0") == 0)
    }

    @Test func keptRecordsShowNoCreator() throws {
        let session = try store.session(emails: address)
        let id = try session.publicDatabase.save(record(100)).id
        _ = try store.account(of: session).erase(keepsPublicRecords: true)
        #expect(try grace.publicDatabase.fetch(id).createdBy == nil)
        let again = try store.session(emails: address)
        #expect(throws: KinfolkError(.permissionFailure, "")) { try again.publicDatabase.delete(id) }
    }

    @Test func aSaveCostsTheSameHoweverMuchIsRemembered() throws {
        let session = try store.session(emails: address)
        _ = try session.publicDatabase.save(record(100))
        let (_, few) = try store.service.store.tracing { _ = try session.publicDatabase.save(record(100)) }
        for day in 0..<20 {
            let other = try store.session(emails: "other\(day)@example.com", "another\(day)@example.com")
            _ = try other.publicDatabase.save(record(100))
            _ = try store.account(of: other).erase(keepsPublicRecords: true)
            store.clock.advance(seconds: 86_400)
        }
        _ = try session.publicDatabase.save(record(100))
        let (_, many) = try store.service.store.tracing { _ = try session.publicDatabase.save(record(100)) }
        #expect(many.count == few.count)
        #expect(!many.contains { $0.sql.contains("address_history") })
    }
}
