import Foundation
import Kinfolk
import KinfolkStorage
import KinfolkThreads
import ServiceSupport
import TestSupport
import Testing

/// Rotations that are interrupted, resumed by others, or run concurrently.
@Suite struct KeyRotationFaultTests {
    private let store: TestService

    init() throws { store = try TestService() }

    private var keyPath: String { store.folder.file("kinfolk.key") }

    private let hostKey = KeySource.bytes([UInt8](repeating: 7, count: 32))

    /// The current key file under another name.
    private func copyOfKey() throws -> KeySource {
        let copy = store.folder.file("copy.key")
        try FileManager.default.copyItem(atPath: keyPath, toPath: copy)
        return .file(copy)
    }

    /// Leaves a rotation to `key` as a killed process does.
    private func interrupt(to key: KeySource?) throws {
        let service = try store.reopened()
        _ = try service.beginRotation(to: key)
        _ = try service.rotateBatch()
    }

    @Test func aRotationBegunWithAKeyOfTheHostDoesNotEndWithTheOldKeyFile() throws {
        let ada = try store.account()
        let old = try copyOfKey()
        try interrupt(to: hostKey)
        let rotation = try store.reopened().rotateKeys()
        expect(.keyMismatch) { try Service.open(store.path, key: old) }
        let kept = try #require(rotation.oldKeyPath)
        expect(.keyMismatch) { try Service.open(store.path, key: .file(kept)) }
        #expect(try store.reopened().account(ada.id).name().givenName == "Ada")
        #expect(try ada.name().givenName == "Ada")
    }

    @Test func theOldKeyIsRefusedAsTheNewKey() throws {
        _ = try store.account()
        let old = try copyOfKey()
        try interrupt(to: hostKey)
        expect(.invalidArgument) { try store.reopened().rotateKeys(to: old) }
        _ = try store.reopened().rotateKeys(to: hostKey)
        _ = try Service.open(store.path, key: hostKey)
        expect(.keyMismatch) { try Service.open(store.path, key: old) }
    }

    @Test func anotherKeyFileOfTheSameNameIsNotUsedAsTheOldKey() throws {
        let path = store.folder.file("kinfolk.key.1")
        _ = try Service.open(store.folder.file("other.db"), key: .file(path))
        let (present, other) = (try bytes(of: keyPath), try bytes(of: path))
        let rotation = try store.service.rotateKeys()
        #expect(try bytes(of: path) == other)
        #expect(try bytes(of: #require(rotation.oldKeyPath)) == present)
    }

    @Test func aServiceThatSawTheRotationContinuesAfterIt() throws {
        let path = store.folder.file("host.db")
        let (first, second) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
        let rotating = try Service.open(path, key: .bytes(first))
        let other = try Service.open(path, key: .bytes(first))
        let id = try rotating.createAccount(name: PersonName(givenName: "Ada")).id
        _ = try rotating.rotateKeys(to: .bytes(second)) { _ in
            _ = try? other.account(id).name()
        }
        #expect(try other.account(id).name().givenName == "Ada")
        try other.account(id).setName(PersonName(givenName: "Grace"))
        #expect(try Service.open(path, key: .bytes(second)).account(id).name().givenName == "Grace")
    }

    @Test func aReaderOfAnOlderSnapshotStillHasItsKeys() throws {
        let ada = try store.account("Ada", emails: "ada@example.com")
        for number in 0..<40 {
            _ = try store.service.createContainer("com.example.c\(number)").session(for: ada)
        }
        let (service, isDone) = (store.service, Flag())
        let exports = Lock([0, 0, 0, 0])
        try onThreads(4) { thread in
            if thread == 0 {
                defer { isDone.set() }
                for round in 1...(Search.isLong ? 25 : 8) {
                    // A reader is at most two rotations behind.
                    let isTurn: ([Int]) -> Bool = { $0[1...].allSatisfy { $0 >= round } }
                    let isInTime = exports.withLock(when: isTurn, until: Deadline(in: 60)) { _ in } != nil
                    guard isInTime else { throw Late() }
                    _ = try service.rotateKeys()
                    exports.withLock { $0 = [0, round, round, round] }
                }
            } else {
                while !isDone.isSet {
                    _ = try ada.export()
                    exports.withLock { $0[thread] += 1 }
                }
            }
        }
    }

    private struct Late: Error {}

    @Test func concurrentRotationsLoseNothing() throws {
        let ids = try (0..<3).map { try store.account("Ada", emails: "ada\($0)@example.com").id }
        let services = try (0..<3).map { _ in try store.reopened() }
        try onThreads(3) { thread in
            for _ in 0..<(Search.isLong ? 25 : 8) { _ = try services[thread].rotateKeys() }
        }
        for service in services + [try store.reopened()] {
            for id in ids { #expect(try service.account(id).name().givenName == "Ada") }
        }
        #expect(try store.number("SELECT count(*) FROM service WHERE name = 'rotation'") == 0)
        #expect(try !store.folder.names().contains("kinfolk.key.new"))
    }

    @Test func theNewestCodeIsValidAlthoughAnOlderOneIsRotated() throws {
        let ada = try store.account()
        let email = try EmailAddress("ada@example.com")
        try ada.addEmail("ada@example.com")
        for _ in 0..<3 { _ = try store.mail(ada, email) }
        let service = try store.reopened()
        _ = try service.beginRotation(to: nil)
        let newest = try store.mail(ada, email).code
        while try service.rotateBatch() != nil {}
        expect(.permissionFailure) {
            try ada.verifyEmail(email, code: newest == "0000-0000" ? "0000-0001" : "0000-0000")
        }
        #expect(try ada.verifyEmail(email, code: newest) == .verified)
    }

    @Test func removingAnAddressInvalidatesItsCodeDuringARotation() throws {
        let ada = try store.account()
        let email = try EmailAddress("ada@example.com")
        try ada.addEmail("ada@example.com")
        _ = try store.reopened().beginRotation(to: nil)
        let code = try store.mail(ada, email).code
        try ada.removeEmail(email)
        try ada.addEmail("ada@example.com")
        expect(.unknownItem) { try ada.verifyEmail(email, code: code) }
    }

    @Test func blockedPeopleAreLookedUpLikeStrangersDuringARotation() throws {
        let (ada, bob) = (try store.discoverable("Ada"), try store.discoverable("Bob", emails: "bob@example.com"))
        try bob.block(ada.userRecordID())
        _ = try ada.discover(EmailAddress("nobody@example.com"))
        let service = try store.reopened()
        _ = try service.beginRotation(to: nil)
        func statements(_ address: String) throws -> [String] {
            let (_, work) = try store.service.tracing { try ada.discover(EmailAddress(address)) }
            return work.map(\.sql)
        }
        _ = try statements("nobody@example.com")
        #expect(try statements("bob@example.com") == statements("nobody@example.com"))
        while try service.rotateBatch() != nil {}
        _ = try statements("nobody@example.com")
        #expect(try statements("bob@example.com") == statements("nobody@example.com"))
    }

    @Test func manyReasonsAndLargeRecordsAreResealedInParts() throws {
        let sessions = try (0..<20).map { try store.session("Person \($0)") }
        for session in sessions {
            var record = try session.fetchUserRecord()
            try record.set("blob", to: .bytes([UInt8](repeating: 1, count: 900_000)))
            _ = try session.save(record)
        }
        for number in 0..<1_100 {
            expect(.unknownItem) {
                try store.container.account(of: UserRecordID(.make()), reason: "Ticket \(number)")
            }
        }
        var steps: [Int] = []
        _ = try store.service.rotateKeys { steps.append($0.accounts) }
        #expect(steps.last == 20)
        #expect(try store.service.auditLog(limit: 2_000).map(\.reason) == (0..<1_100).map { "Ticket \($0)" })
        #expect(try sessions[19].fetchUserRecord()["blob"]?.count == 1)
    }

    @Test func aKeyFileInAnotherPlaceIsReplacedThere() throws {
        let folder = try TemporaryFolder()
        let (link, file) = (folder.file("link.key"), store.folder.file("elsewhere.key"))
        let service = try Service.open(folder.file("linked.db"), key: .file(file))
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        let linked = try Service.open(folder.file("linked.db"), key: .file(link))
        let before = try bytes(of: file)
        #expect(try linked.rotateKeys().oldKeyPath == file + ".1")
        #expect(try bytes(of: file) != before && bytes(of: file + ".1") == before)
        #expect(try folder.names().filter { $0.contains("key") } == ["link.key"])
        _ = try service.createAccount()
        _ = try Service.open(folder.file("linked.db"), key: .file(link))
    }

    @Test func aKeyOfTheHostIsNotReplacedByAFile() throws {
        _ = try store.service.rotateKeys(to: hostKey)
        expect(.invalidArgument) { try store.service.rotateKeys() }
        _ = try Service.open(store.path, key: hostKey)
    }

    @Test func anExportHasTheCodesIssuedDuringARotation() throws {
        let ada = try store.account()
        try ada.addEmail("ada@example.com")
        _ = try store.reopened().beginRotation(to: nil)
        _ = try ada.requestVerification(of: EmailAddress("ada@example.com"))
        #expect(try ada.export().contains("\"purpose\": \"addEmail\""))
    }
}
