import Foundation
import TestSupport
import Testing

@Suite struct DiscoveryTests {
    private let kinfolk: CommandLineTool

    init() throws {
        kinfolk = try CommandLineTool.withPeople()
        _ = try kinfolk.file(
            "contacts.vcf",
            """
            BEGIN:VCARD
            VERSION:3.0
            FN:Grace from work
            EMAIL:grace@example.org
            EMAIL:g@example.org
            END:VCARD
            BEGIN:VCARD
            VERSION:3.0
            FN:Alan
            EMAIL:alan@example.com
            EMAIL:nonsense
            END:VCARD
            BEGIN:VCARD
            VERSION:3.0
            FN:Dentist
            TEL:5550100
            END:VCARD

            """
        )
    }

    private func ada(_ command: String) throws -> Run { try kinfolk.session("ada@example.com", "discover \(command)") }

    private func container(_ command: String) throws -> Run { try kinfolk.shell("$kinfolk container \(command)") }

    @Test func aContactBookFindsDiscoverablePeople() throws {
        let run = try ada("contacts contacts.vcf")
        #expect(run.status == 0)
        let id = try kinfolk.userRecordID("grace@example.org")
        #expect(run.lines.contains { $0.hasPrefix("Grace Sample  \(id)  Grace from work") })
        #expect(run.output.contains("3 contacts: 2 led to 1 person, 1 to nobody who can be found"))
        #expect(run.output.contains("Without an e-mail address: 1 entry."))
        #expect(run.output.contains("11  There is no @ in the address."))
        #expect(!run.output.contains("Alan"), "who was not found is counted, not named")
    }

    @Test func theDocumentHasEveryCountAndContact() throws {
        let found = try ada("contacts contacts.vcf --json").json()
        #expect(found["format"] as? String == "vCard")
        #expect(found["entries"] as? Int == 3)
        #expect(found["contacts"] as? Int == 3)
        #expect(found["contacts_found"] as? Int == 2)
        #expect(found["contacts_not_found"] as? Int == 1)
        #expect(found["entries_without_email"] as? Int == 1)
        #expect(found["skipped_count"] as? Int == 1)
        #expect(found["seconds"] is Double)
        let identities = try #require(found["identities"] as? [[String: Any]])
        #expect(identities.count == 1)
        #expect(identities.first?["given_name"] as? String == "Grace")
        let contacts = try #require(identities.first?["contacts"] as? [[String: Any]])
        #expect(contacts.compactMap { $0["index"] as? Int } == [0, 1])
        #expect(contacts.compactMap { $0["label"] as? String } == ["Grace from work", "Grace from work"])
    }

    @Test func aContactBookMayComeFromStandardInput() throws {
        let piped = try kinfolk.shell(
            "cat contacts.vcf | $kinfolk discover contacts - --container \(CommandLineTool.container) "
                + "--account ada@example.com --json"
        )
        #expect(try piped.json()["contacts_found"] as? Int == 2)
    }

    @Test func aFileWithoutContactsIsRefused() throws {
        _ = try kinfolk.file("poem.txt", "So much depends\nupon\na red wheelbarrow\n")
        #expect(try ada("contacts poem.txt").status == 11)
        #expect(try ada("contacts missing.vcf").status == 12)
    }

    @Test func aSyncStateMakesRepeatedSearchesFree() throws {
        try kinfolk("container", "permits", CommandLineTool.container, "--capacity", "3", "--per-hour", "0")
        #expect(try ada("contacts contacts.vcf --sync-state state").status == 0)
        let state = try Data(contentsOf: URL(fileURLWithPath: kinfolk.folder.file("state")))
        #expect(state.starts(with: Data("KNS1".utf8)))
        let unpaid = try ada("contacts contacts.vcf --json")
        #expect(unpaid.status == 17)
        #expect(try unpaid.errorJSON()["error"] as? String == "requestRateLimited")
        #expect(try unpaid.errorJSON()["retry_after"] is Double)
        #expect(try ada("contacts contacts.vcf").errors.contains("Try again in "))
        let paid = try ada("contacts contacts.vcf --sync-state state")
        #expect(paid.status == 0)
        #expect(paid.output.contains("Grace Sample"))
    }

    @Test func aSyncStateThatCannotBeWrittenCostsNoPermit() throws {
        try kinfolk("container", "permits", CommandLineTool.container, "--capacity", "3", "--per-hour", "0")
        #expect(try ada("contacts contacts.vcf --sync-state missing/state").status == 12)
        #expect(try ada("contacts contacts.vcf").status == 0)
    }

    @Test func aRefusedSearchKeepsTheSyncState() throws {
        try kinfolk("container", "permits", CommandLineTool.container, "--capacity", "2")
        _ = try kinfolk.file("state", "KNS1 what was there")
        #expect(try ada("contacts contacts.vcf --sync-state state").status == 16)
        let names = try kinfolk.folder.names()
        #expect(try String(contentsOfFile: kinfolk.folder.file("state"), encoding: .utf8) == "KNS1 what was there")
        #expect(!names.contains { $0.hasSuffix(".new") })
    }

    /// Each case: a file that is not a sync state, and options.
    @Test(arguments: [
        ("people.csv", ""), ("people.csv", "--private"), ("kinfolk.key", ""), ("other-name.db", ""),
        ("plain.state", "--private"), ("private.state", ""),
    ])
    func aSyncStateDoesNotReplaceAnotherKindOfFile(name: String, options: String) throws {
        _ = try container("directory com.example.notes --mode both")
        try FileManager.default.linkItem(
            atPath: kinfolk.folder.file("kinfolk.db"),
            toPath: kinfolk.folder.file("other-name.db")
        )
        _ = try kinfolk.file("plain.state", "KNS1 ...")
        _ = try kinfolk.file("private.state", "KNP2 ...")
        let before = try bytes(of: kinfolk.folder.file(name))
        let run = try ada("contacts contacts.vcf --sync-state \(name) \(options)")
        #expect(run.status == 11, "\(run.errors)")
        #expect(run.errors.contains("name another file"), "\(run.errors)")
        #expect(run.errors.contains(name))
        let isSame = try bytes(of: kinfolk.folder.file(name)) == before
        #expect(isSame || name.hasSuffix(".db"))
        #expect(try kinfolk("account", "list").status == 0)
    }

    @Test func anAddressFindsItsPersonOrNobody() throws {
        #expect(try ada("email GRACE@example.org").output.contains("Grace Sample"))
        for email in ["alan@example.com", "unknown@example.com"] {
            let nobody = try ada("email \(email)")
            #expect(nobody.status == 0)
            #expect(nobody.output == CommandLineTool.nobody)
            #expect(try ada("email \(email) --json").json()["identity"] is NSNull)
        }
        #expect(try ada("email nonsense").status == 11)
    }

    @Test func aUserRecordIDFindsItsPersonOrNobody() throws {
        let grace = try kinfolk.userRecordID("grace@example.org")
        let identity = try ada("record-id \(grace) --json").json()["identity"] as? [String: Any]
        #expect(identity?["user_record_id"] as? String == grace)
        #expect(identity?["family_name"] as? String == "Sample")
        #expect(try ada("record-id \(kinfolk.userRecordID("alan@example.com"))").output == CommandLineTool.nobody)
        #expect(try ada("record-id 12").status == 11)
    }

    @Test func aPrivateDiscoveryFindsTheSamePeopleAndShowsWhatEachSideSees() throws {
        let refused = try ada("--private contacts.vcf")
        #expect(refused.status == 12 && refused.errors.contains("no private directory"))
        #expect(refused.errors.contains("\"kinfolk container directory com.example.notes --mode both\" makes one."))
        let directory = try container("directory com.example.notes --mode both --json").json()
        let epochs = try #require(directory["epochs"] as? [[String: Any]])
        let key = try #require(epochs.first?["public_key"] as? String)

        let first = try ada("--private contacts.vcf --sync-state state --public-key \(key)")
        #expect(first.status == 0)
        #expect(first.lines.contains { $0.hasPrefix("Grace Sample  ") && $0.hasSuffix("Grace from work") })
        #expect(first.output.contains("64 blinded points"))
        #expect(first.output.contains("the whole directory was asked for"))
        #expect(first.output.contains("1 name was asked for"))
        #expect(first.lines.allSatisfy { $0.count <= 80 })

        let second = try ada("--private contacts.vcf --sync-state state --no-names --json").json()
        let seen = try #require(second["private"] as? [String: Any])
        #expect(seen["points_evaluated"] as? Int == 0)
        #expect(seen["rows_received"] as? Int == 0)
        #expect(seen["names_asked_for"] as? Bool == false)
        let identities = try #require(second["identities"] as? [[String: Any]])
        #expect(identities.map { $0["given_name"] as? String } == [""])

        let other = String(repeating: "0", count: 63) + "1"
        #expect(try ada("--private contacts.vcf --public-key \(other)").status == 11)
        #expect(try ada("contacts.vcf --no-names").status == 64)
    }

    @Test func aPrivateDirectoryGetsANewKeyAndTheOldOneCanBeEnded() throws {
        #expect(
            try container("directory com.example.notes").output == "People are found by contact hashes.\n"
        )
        _ = try container("directory com.example.notes --mode private")
        #expect(try ada("contacts.vcf").status == 14)
        let renewed = try container("directory com.example.notes --renew-key --prefix-bits 5 --json").json()
        let epochs = try #require(renewed["epochs"] as? [[String: Any]])
        #expect(epochs.map { $0["epoch"] as? Int } == [2, 1])
        #expect(epochs.map { $0["prefix_bits"] as? Int } == [5, 5])
        #expect(try container("directory com.example.notes --end-before 3").status == 12)
        let ended = try container("directory com.example.notes --end-before 2 --prefix-bits auto")
        #expect(ended.lines.count == 4)
        #expect(ended.lines.dropLast().last?.hasPrefix("    2  ") == true)
        #expect(ended.lines.last?.hasPrefix("The bucket key") == true)
    }

    @Test func theNextKeyIsAnnouncedAndARotationAfterALeakNamesItsEffects() throws {
        let kinfolk = try CommandLineTool()
        try kinfolk("init")
        try kinfolk("container", "create", "com.example.notes")
        try kinfolk("container", "directory", "com.example.notes", "--mode", "private")
        let announced = try kinfolk("container", "directory", "com.example.notes", "--announce-key", "--json").json()
        let epochs = try #require(announced["epochs"] as? [[String: Any]])
        #expect(epochs.map { $0["announced"] as? Bool } == [true, false])
        #expect((announced["bucket_key"] as? String)?.count == 64)
        #expect(try kinfolk("container", "directory", "com.example.notes").output.contains("announced"))
        let planned = try kinfolk("key", "rotate", "--json").json()
        #expect((planned["consequences"] as? [String]) == [])
        let renewed = try #require(planned["private_epochs"] as? [[String: Any]])
        #expect(renewed.map { $0["public_key"] as? String } == [epochs[0]["public_key"] as? String])
        let leaked = try kinfolk("key", "rotate", "--leaked")
        #expect(leaked.status == 0)
        for words in ["only older public keys", "sync states", "Verification codes", "bucket key stays"] {
            #expect(leaked.output.contains(words))
        }
    }

    @Test func aFillerSecretComesFromAFileAndTheBucketKeyIsChecked() throws {
        let directory = try container("directory com.example.notes --mode both --json").json()
        let bucketKey = try #require(directory["bucket_key"] as? String)
        let secret = kinfolk.folder.file("secret")
        for (content, status) in [(String(repeating: "0a", count: 32) + "\n", 0), ("0a0a\n", 11), ("no digits\n", 11)] {
            try content.write(toFile: secret, atomically: false, encoding: .utf8)
            #expect(try ada("--private contacts.vcf --filler-secret secret").status == status)
        }
        #expect(try ada("--private contacts.vcf --bucket-key \(bucketKey)").status == 0)
        let epochs = try #require(directory["epochs"] as? [[String: Any]])
        let other = try #require(epochs.first?["public_key"] as? String)
        #expect(try ada("--private contacts.vcf --bucket-key \(other)").status == 20)
        #expect(try ada("contacts.vcf --bucket-key \(bucketKey)").status == 64)
    }
}
