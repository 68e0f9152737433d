import Foundation
import ServiceSupport
import TestSupport
import Testing

@testable import Kinfolk

/// A store with damaged keys or directories: calls report the damage, and nothing more is lost.
@Suite(.enabled(if: TemporaryFolder.hasFiles)) struct DamagedStoreTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("kinfolk.db")
        let service = try Service.open(path)
        let container = try service.createContainer("com.example.notes")
        try container.setDirectoryModes([.hashed, .private])
        let account = try service.createAccount(
            name: PersonName(givenName: "Ada"),
            emails: ["ada@example.com"],
            verified: true
        )
        try container.session(for: account).setDiscoverability(.granted, wording: TestService.wording)
    }

    private func change(_ sql: String) throws { try RawDatabase(path).run(sql) }

    private func rootKeys() throws -> String? {
        try RawDatabase(path).value("SELECT group_concat(epoch || hex(sealed_under) || hex(sealed_key)) FROM root_keys")
    }

    @Test(
        arguments: [
            "DELETE FROM service WHERE name = 'key_stamp'",
            "UPDATE service SET value = x'00' WHERE name = 'key_stamp'",
            "UPDATE service SET value = 'a text of 16 let' WHERE name = 'key_stamp'; DELETE FROM root_keys",
        ]
    )
    func aDamagedKeyStampDoesNotLoseTheKeys(_ change: String) throws {
        try self.change(change)
        let before = try rootKeys()
        let error = expect(.storeCorrupt) { try Service.open(path).accounts() }
        #expect(error?.reason.contains("kinfolk check") == true)
        #expect(try rootKeys() == before, "no new key takes the place of the one that opens the store")
    }

    @Test(
        arguments: [
            "UPDATE root_keys SET sealed_under = zeroblob(16)",
            "UPDATE root_keys SET sealed_under = x'00'",
            "UPDATE root_keys SET sealed_under = 17",
            "UPDATE root_keys SET sealed_key = substr(sealed_key, 1, 40)",
            "UPDATE root_keys SET sealed_key = zeroblob(90)",
            "UPDATE root_keys SET epoch = epoch + 1",
            "DELETE FROM root_keys",
        ]
    )
    func aDamagedRootKeyIsNotReportedAsAWrongKey(_ change: String) throws {
        try self.change(change)
        expect(.storeCorrupt) { try Service.open(path) }
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles), arguments: [18, 19])
    func aHeaderThatForbidsWritingIsDamaged(_ offset: UInt64) throws {
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.seek(toOffset: offset)
        try file.write(contentsOf: Data([77]))
        try file.close()
        expect(.storeCorrupt) { try Service.open(path).createAccount() }
    }

    @Test func aWrongKeyIsReportedAsSuchInASoundStore() {
        expect(.keyMismatch) { try Service.open(path, key: .bytes([UInt8](repeating: 7, count: 32))) }
    }

    private func session(_ service: Service) throws -> Session {
        try service.container("com.example.notes").session(for: service.account(email: EmailAddress("ada@example.com")))
    }

    @Test(arguments: ["epoch = 4294967296 + epoch", "epoch = 'a text'", "epoch = -1", "sealed_seed = x'00'"])
    func aDamagedPrivateDirectoryIsNotReportedAsTheClientsFault(_ change: String) throws {
        try self.change("UPDATE directories SET \(change) WHERE epoch > 0")
        let service = try Service.open(path)
        expect(.storeCorrupt) { try session(service).discoverPrivately(book("bob@example.com")) }
        expect(.storeCorrupt) { try service.rotateKeys() }
    }

    @Test func aPublicKeyThatIsTooShortIsNotReturned() throws {
        let service = try Service.open(path)
        let container = try service.container("com.example.notes")
        _ = try container.announceNextPrivateKey()
        try change("UPDATE directories SET public_key = x'00' WHERE state = 4")
        // C reads as many bytes as a key has.
        expect(.storeCorrupt) { try container.privateEpochs() }
        let other = try Service.open(path)
        expect(.storeCorrupt) { try session(other).discoverPrivately(book("bob@example.com")) }
        try session(other).setDiscoverability(.denied, wording: TestService.wording)
    }

    @Test(arguments: [
        "directories SET prefix_bits = 40", "containers SET prefix_bits = -7", "directories SET state = 17",
    ])
    func damagedNumbersDoNotKeepAPersonInADirectory(_ change: String) throws {
        try self.change("UPDATE \(change)")
        try session(Service.open(path)).setDiscoverability(.denied, wording: TestService.wording)
        #expect(try RawDatabase(path).value("SELECT count(*) FROM private_directory") == "0")
    }

    @Test func aMissingColumnIsReportedAsDamage() throws {
        try change("ALTER TABLE emails RENAME COLUMN sealed_address TO other")
        let service = try Service.open(path)
        let account = try service.accounts().first
        let error = expect(.storeCorrupt) { try account?.emails() }
        #expect(error?.reason.contains("kinfolk check") == true)
        expect(.storeCorrupt) { try service.rotateKeys() }
        expect(.storeCorrupt) { try account?.erase() }
    }
}
