import Foundation
import Kinfolk
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

/// What the files reveal without the key.
@Suite struct SealedAtRestTests {
    private let store: TestService
    private let addresses = ["Adaline@Example.com", "adaline@example.com", "adaline@other.example.org"]
    private let names = ["Adaline", "Łukasiewicz", "Example"]

    init() throws {
        store = try TestService()
        let account = try store.service.createAccount(
            name: PersonName(givenName: names[0], familyName: names[1] + " " + names[2])
        )
        try account.addEmail(addresses[0], verified: true)
        try account.addEmail(addresses[2])
        _ = try account.requestVerification(of: EmailAddress(addresses[2]))
        let session = try store.container.session(for: account)
        try session.setDiscoverability(.granted, wording: TestService.wording)
        for database in DatabaseScope.allCases {
            var record = try session.fetchUserRecord(in: database)
            try record.set("city", to: .string("Adalineburg"))
            _ = try session.save(record)
        }
    }

    private func files() throws -> Data {
        try store.folder.names().filter { $0 != "kinfolk.key" }.reduce(into: Data()) { files, name in
            files.append(try bytes(of: store.folder.file(name)))
        }
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func noAddressAndNoNameIsInTheFilesInAnyEncoding() throws {
        let files = try files()
        for text in addresses + names + ["Adalineburg", "adaline", TestService.wording.text] {
            for encoded in try encodings(of: text) { #expect(files.range(of: encoded) == nil, "\(text)") }
        }
        // The search itself works: it finds a text that is not sealed.
        #expect(files.range(of: Data("com.example.notes".utf8)) != nil)
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func noContactHashIsInTheFiles() throws {
        let files = try files()
        for address in addresses {
            let hash = try EmailAddress(address).contactHash.withUnsafeBytes { Data($0) }
            for part in [hash, hash.prefix(16), hash.prefix(8)] { #expect(files.range(of: part) == nil) }
            let hex = hash.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            #expect(files.range(of: Data(hex.utf8)) == nil)
        }
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func theKeyIsNotInTheFiles() throws {
        let text = try String(contentsOfFile: store.folder.file("kinfolk.key"), encoding: .utf8)
        let digits = try #require(text.split(separator: " ").last?.trimmingCharacters(in: .newlines))
        let key = Data(stride(from: 0, to: 64, by: 2).compactMap { UInt8(digits.dropFirst($0).prefix(2), radix: 16) })
        #expect(key.count == 32)
        let files = try files()
        for trace in [Data(digits.utf8), key, key.prefix(8)] { #expect(files.range(of: trace) == nil) }
    }

    @Test func theSameAddressHasNoTagInCommonWithAnotherStoreOrContainer() throws {
        let other = try TestService()
        _ = try other.discoverable("Adaline", emails: addresses[0])
        let chat = try store.service.createContainer("com.example.chat")
        try chat.session(for: store.service.account(email: EmailAddress(addresses[0])))
            .setDiscoverability(.granted, wording: TestService.wording)
        var tags: [[UInt8]] = []
        for service in [store.service, other.service] {
            tags += try service.read { db in try db.all("SELECT tag FROM directory") { $0.bytes(0) } }
            tags += try service.read { db in try db.all("SELECT tag FROM verified_emails") { $0.bytes(0) } }
        }
        #expect(tags.count == 5)
        #expect(Set(tags).count == 5)
    }

    @Test func aSealedNameMovedToAnotherRowDoesNotOpen() throws {
        let other = try store.account("Bob")
        _ = try store.service.write { db in
            try db.execute(
                """
                UPDATE accounts SET sealed_name = (SELECT sealed_name FROM accounts WHERE account_id <> $1)
                WHERE account_id = $1
                """,
                .bytes(other.id.value.bytes)
            )
        }
        let reopened = try store.reopened()
        expect(.storeCorrupt) { try reopened.account(other.id).name() }
    }

    @Test func noErrorContainsAnAddressOrAName() throws {
        let session = try store.session("Bob")
        let account = try store.account(of: session)
        let email = try EmailAddress(addresses[1])
        let errors = [
            expect(.invalidArgument) { try account.addEmail("adaline @example.com") },
            expect(.unknownItem) { try account.removeEmail(email) },
            expect(.unknownItem) { try account.requestVerification(of: email) },
            expect(.unknownItem) { try account.verifyEmail(email, code: "123456") },
            expect(.unknownItem) { try store.service.account(email: EmailAddress("adaline@nowhere.example.org")) },
            expect(.limitExceeded) {
                try account.setName(PersonName(givenName: String(repeating: "adaline", count: 200)))
            },
        ]
        for error in errors { #expect(error?.description.lowercased().contains("adaline") == false) }
    }

    private func encodings(of text: String) throws -> [Data] {
        let utf8 = Data(text.utf8)
        let hex = utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        var encodings = [utf8, Data(hex.utf8), Data(hex.uppercased().utf8)]
        for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian] {
            encodings.append(try #require(text.data(using: encoding)))
        }
        // Base64 of the text at each offset of a longer text, without the digits that depend on its neighbours.
        for shift in 0..<3 {
            let text = (Data(count: shift) + utf8).base64EncodedString()
            encodings.append(Data(text.dropFirst(shift == 0 ? 0 : 4).dropLast(4).utf8))
        }
        return encodings.filter { $0.count >= 5 }
    }
}
