import Foundation
import Kinfolk
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

@Suite struct PassphraseTests {
    private let folder: TemporaryFolder
    private let path: String
    private let passphrase = "correct horse battery staple ž"

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("kinfolk.db")
    }

    @Test func onlyTheRightPassphraseOpensTheStore() throws {
        let id = try Service.open(path, key: .passphrase(passphrase)).createAccount().id
        #expect(try Service.open(path, key: .passphrase(passphrase)).account(id).id == id)
        for other in ["correct horse battery staple", passphrase + " ", passphrase.uppercased()] {
            expect(.keyMismatch) { try Service.open(path, key: .passphrase(other)) }
        }
        expect(.keyMismatch) { try Service.open(path) }
        #expect(try folder.names().allSatisfy { $0.hasPrefix("kinfolk.db") }, "no key file is made")
        #expect(try folder.allBytes().range(of: Data(passphrase.utf8)) == nil)
    }

    @Test func anEmptyPassphraseIsRefusedAndMakesNoFile() throws {
        expect(.invalidArgument) { try Service.open(path, key: .passphrase("")) }
        #expect(try folder.names().isEmpty)
    }

    @Test func aStoreWithAKeyFileIsNotOpenedByAPassphrase() throws {
        _ = try Service.open(path)
        expect(.keyMismatch) { try Service.open(path, key: .passphrase(passphrase)) }
        #expect(try RawDatabase(path).value("SELECT count(*) FROM service WHERE name = 'passphrase'") == "0")
    }

    @Test func theSamePassphraseGivesAnotherKeyInAnotherStore() throws {
        _ = try Service.open(path, key: .passphrase(passphrase))
        let other = folder.file("other.db")
        _ = try Service.open(other, key: .passphrase(passphrase))
        let checks = try [path, other].map { try RawDatabase($0).value("SELECT hex(sealed_under) FROM root_keys") }
        #expect(checks[0] != checks[1])
    }

    @Test func anExcessiveCostOfTheDerivationIsRefused() throws {
        _ = try Service.open(path, key: .passphrase(passphrase))
        try RawDatabase(path).run(
            "UPDATE service SET value = substr(value, 1, 16) || x'ffffffffffffffff' WHERE name = 'passphrase'"
        )
        expect(.keyMismatch) { try Service.open(path, key: .passphrase(passphrase)) }
    }

    @Test func aKeyCanBeRotatedToAPassphraseAndBackToAFile() throws {
        let service = try Service.open(path)
        let id = try service.createAccount(name: PersonName(givenName: "Ada")).id
        _ = try service.rotateKeys(to: .passphrase(passphrase))
        expect(.keyMismatch) { try Service.open(path) }
        _ = try Service.open(path, key: .passphrase(passphrase)).rotateKeys(to: .passphrase("another"))
        expect(.keyMismatch) { try Service.open(path, key: .passphrase(passphrase)) }
        _ = try Service.open(path, key: .passphrase("another")).rotateKeys(to: .file(folder.file("new.key")))
        #expect(try Service.open(path, key: .file(folder.file("new.key"))).account(id).name().givenName == "Ada")
        #expect(try mode(of: folder.file("new.key")) == 0o600)
        expect(.keyMismatch) { try Service.open(path, key: .passphrase("another")) }
    }
}
