import Foundation
import KinfolkCrypto
import KinfolkStorage
import KinfolkThreads
import ServiceSupport
import TestSupport
import Testing

@testable import Kinfolk

/// The effects of a key rotation on private directories, planned or because of a leak.
@Suite struct PrivateKeyRotationTests {
    private let store: TestService
    private let seeker: Session
    private let contacts: ContactBook

    init() throws {
        store = try TestService()
        try store.container.setDirectoryModes([.hashed, .private])
        seeker = try store.session("Seeker", emails: "seeker@example.com")
        contacts = try book("ada@example.com", "late@example.com")
    }

    private var keyPath: String { store.folder.file("kinfolk.key") }

    /// A copy of the store as it is now, with the key that opens it.
    private func copy(_ name: String, keyFile: String) throws -> Service {
        let path = store.folder.file(name)
        try store.service.backUp(to: path)
        return try Service.open(path, key: .file(keyFile))
    }

    /// The number of rows with a tag that is derived from an address and a key.
    private func confirmed(_ addresses: [String], with keys: [OPRFKey]) throws -> Int {
        let tags = Set(try store.service.read { db in try db.all("SELECT tag FROM private_directory") { $0.bytes(0) } })
        let hashes = try addresses.map { try EmailAddress($0).contactHash }
        return try keys.reduce(0) { count, key in
            var outputs = [UInt8](repeating: 0, count: 64 * hashes.count)
            try hashes.withUnsafeBytes { hashes in
                try outputs.withUnsafeMutableBytes { try key.evaluate(OPRFInputs(hashes, length: 32), into: $0) }
            }
            return count
                + outputs.withUnsafeBytes { outputs in
                    hashes.indices.count { index in
                        let output = UnsafeRawBufferPointer(rebasing: outputs[64 * index..<64 * (index + 1)])
                        return tags.contains(DirectoryRow.Key(output).tag.bytes)
                    }
                }
        }
    }

    private func keys(of service: Service) throws -> [OPRFKey] {
        let container = try service.container("com.example.notes")
        return try container.privateEpochs().filter(\.isComplete).map { try container.privateKey(ofEpoch: $0.number) }
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func aPlannedRotationRenewsThePrivateDirectoryAndClientsContinue()
        throws
    {
        _ = try store.discoverable("Ada", emails: "ada@example.com")
        let first = try seeker.discoverPrivately(contacts)
        let hashed = try seeker.discover(contacts)
        let left = try seeker.permitsLeft()
        let bucketKey = try store.service.bucketPublicKey()
        let old = try copy("old.db", keyFile: keyPath)
        let oldKeys = try keys(of: old)

        let rotation = try store.service.rotateKeys()
        #expect(rotation.consequences == [])
        #expect(rotation.privateEpochs.map(\.number) == [2])
        #expect(try store.container.privateEpochs().map(\.number) == [2, 1])
        #expect(try store.container.privateEpochs().first?.publicKey == rotation.privateEpochs.first?.publicKey)
        #expect(try store.service.bucketPublicKey() == bucketKey)
        #expect(try seeker.discoverPrivately(contacts, state: first.syncState).identities.count == 1)
        #expect(try seeker.discover(contacts, syncState: hashed.syncState).identities.count == 1)
        #expect(try seeker.permitsLeft() == left)

        _ = try store.discoverable("Late", emails: "late@example.com")
        let addresses = ["ada@example.com", "late@example.com"]
        #expect(try confirmed(addresses, with: oldKeys) == 2, "while the old epoch answers")
        try store.container.endPrivateEpochs(before: 2)
        #expect(try confirmed(addresses, with: oldKeys) == 0)
        #expect(try confirmed(addresses, with: keys(of: store.service)) == 2)
        #expect(try seeker.discoverPrivately(contacts, state: first.syncState).identities.count == 2)
    }

    @Test func aPlannedRotationUsesTheKeyThatWasAnnounced() throws {
        _ = try store.discoverable("Ada", emails: "ada@example.com")
        let before = try #require(try store.container.privateEpochs().first)
        let announced = try store.container.announceNextPrivateKey()
        #expect(announced.isAnnounced && !announced.isComplete && announced.number == 2 && announced.rowCount == 0)
        #expect(try store.container.announceNextPrivateKey() == announced)
        #expect(try store.container.privateEpochs().map(\.isAnnounced) == [true, false])
        #expect(try seeker.discoverPrivately(contacts).identities.count == 1)
        #expect(try store.number("SELECT count(*) FROM private_directory") == 1)

        // A client that was given both keys sees no difference.
        var client = try PrivateDiscoveryClient(
            container: "com.example.notes",
            publicKeys: [before.publicKey, announced.publicKey]
        )
        func find() throws -> Int {
            client.setContacts(contacts)
            while let request = try client.nextRequest() { try client.receive(seeker.answer(request)) }
            return client.matches.count
        }
        #expect(try find() == 1)
        #expect(try store.service.rotateKeys().privateEpochs.map(\.publicKey) == [announced.publicKey])
        try store.container.endPrivateEpochs(before: 2)
        #expect(try find() == 1)
        #expect(client.exposure.epoch == 2 && client.exposure.points == 0)
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func aLeakedKeyTestsNobodyAfterARotationBecauseOfALeak() throws {
        _ = try store.discoverable("Ada", emails: "ada@example.com")
        let newcomer = try store.account("New")
        try newcomer.addEmail("new@example.com")
        let code = try #require(try newcomer.requestVerification(of: EmailAddress("new@example.com"))).code
        let first = try seeker.discoverPrivately(contacts)
        let state = try seeker.discover(contacts).syncState
        _ = try store.container.renewPrivateKey()
        _ = try store.container.announceNextPrivateKey()
        let old = try copy("old.db", keyFile: keyPath)
        let known = try keys(of: old)
        #expect(known.count == 2)

        let rotation = try store.service.rotateKeys(isLeaked: true)
        #expect(
            rotation.consequences
                == [.syncStates, .verificationCodes, .webSessions, .pinnedClients, .paidContacts, .bucketKeyStays]
        )
        // The announced key was in the copy too.
        #expect(rotation.privateEpochs.map(\.number) == [4])
        #expect(try store.container.privateEpochs().map(\.number) == [4])
        #expect(try store.number("SELECT count(*) FROM directories WHERE epoch > 0") == 1)
        #expect(try store.number("SELECT count(*) FROM lasting_keys") == 0)
        _ = try store.discoverable("Late", emails: "late@example.com")
        let addresses = ["ada@example.com", "late@example.com"]
        #expect(try confirmed(addresses, with: known) == 0)
        #expect(try confirmed(addresses, with: keys(of: store.service)) == 2)

        let left = try seeker.permitsLeft()
        #expect(try seeker.discover(contacts, syncState: state).identities.count == 2)
        #expect(try seeker.permitsLeft() == left - 2, "the sync state counts as none")
        #expect(throws: KinfolkError.self) { try newcomer.verifyEmail(EmailAddress("new@example.com"), code: code) }
        #expect(try seeker.discoverPrivately(contacts, state: first.syncState).identities.count == 2)
        #expect(try seeker.permitsLeft() == left - 2 - 64)
        // A later planned rotation keeps the existing directories.
        #expect(try store.service.rotateKeys().consequences == [])
    }

    @Test func theLeakedKeyOpensNothingOfTheNewKeyDuringTheRotation() throws {
        _ = try store.discoverable("Ada", emails: "ada@example.com")
        let kept = store.folder.file("kept.key")
        try FileManager.default.copyItem(atPath: keyPath, toPath: kept)
        let known = try keys(of: store.service)
        let other = try store.reopened()
        _ = try other.beginRotation(to: nil, isLeaked: true)
        expect(.keyMismatch) { try Service.open(store.path, key: .file(kept)) }
        // Services that are open find the new key in the file.
        _ = try store.discoverable("Late", emails: "late@example.com")
        #expect(try confirmed(["late@example.com"], with: known) == 0, "nobody new in the old epoch")
        #expect(try seeker.discoverPrivately(book("ada@example.com")).identities.count == 1)
        // An erased person is deleted from it nevertheless.
        try seeker.setDiscoverability(.granted, wording: TestService.wording)
        _ = try store.service.account(email: EmailAddress("ada@example.com")).erase()
        #expect(try store.number("SELECT count(*) FROM private_directory") == 0)
        // The call that resumes it need not give the reason of the rotation.
        let rotation = try store.reopened().rotateKeys()
        #expect(rotation.consequences.contains(.syncStates))
        #expect(try store.container.privateEpochs().map(\.number) == [2])
        #expect(try seeker.discoverPrivately(book("late@example.com")).identities.count == 1)
    }

    @Test func aPlannedRotationCannotBecomeARotationBecauseOfALeak() throws {
        _ = try store.account("Ada", emails: "ada@example.com")
        _ = try store.reopened().beginRotation(to: nil)
        expect(.conflict) { try store.service.rotateKeys(isLeaked: true) }
        _ = try store.service.rotateKeys()
        #expect(try store.service.rotateKeys(isLeaked: true).consequences.contains(.syncStates))
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func theNewKeyIsFoundInItsTemporaryFile() throws {
        let ada = try store.discoverable("Ada", emails: "ada@example.com")
        let old = try Data(contentsOf: URL(fileURLWithPath: keyPath))
        _ = try store.reopened().beginRotation(to: nil, isLeaked: true)
        // The state that a process leaves if it dies before the new key replaces the old one.
        try FileManager.default.moveItem(atPath: keyPath, toPath: keyPath + ".new")
        try old.write(to: URL(fileURLWithPath: keyPath))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: keyPath)
        let service = try Service.open(store.path)
        #expect(try service.account(store.account(of: ada).id).name().givenName == "Ada")
        let rotation = try service.rotateKeys()
        #expect(rotation.consequences.contains(.pinnedClients))
        #expect(try store.folder.names().filter { $0.hasSuffix(".new") } == [])
        _ = try Service.open(store.path)
    }

    @Test func aRotationIsResumedFromAnyStep() throws {
        for number in 0..<5 { _ = try store.discoverable("P\(number)", emails: "p\(number)@example.com") }
        for isLeaked in [false, true] {
            let service = try store.reopened()
            _ = try service.beginRotation(to: nil, isLeaked: isLeaked)
            while try service.rotateBatch() != nil {}
            // The rotation is stopped before, during and after the build of the private directory.
            struct Stop: Error {}
            let container = try service.container("com.example.notes")
            let epoch = try service.write { db in try container.beginEpochOfRotation(service.keys(db), db) }
            _ = try container.buildBatch(of: #require(epoch), size: 2)
            let rotation = try store.reopened().rotateKeys()
            let number = try #require(epoch)
            #expect(rotation.privateEpochs.map(\.number) == [number])
            #expect(try store.number("SELECT count(*) FROM root_keys") == 1)
            #expect(try seeker.discoverPrivately(book("p0@example.com", "p4@example.com")).identities.count == 2)
            #expect(try store.container.privateEpochs().count == (isLeaked ? 1 : 2))
        }
    }

    @Test func rowsWithoutAnOwnerAreReportedAsDamage() throws {
        _ = try store.discoverable("Ada", emails: "ada@example.com")
        try store.change(
            "INSERT INTO identities SELECT container_id, $1, sealed_identity FROM identities",
            .bytes([UInt8](repeating: 7, count: 16))
        )
        let refusal = expect(.storeCorrupt) { try store.service.rotateKeys() }
        #expect(refusal?.reason.contains("identities") == true)
        try store.change("DELETE FROM identities WHERE record_id = $1", .bytes([UInt8](repeating: 7, count: 16)))
        _ = try store.service.rotateKeys()
    }
}
