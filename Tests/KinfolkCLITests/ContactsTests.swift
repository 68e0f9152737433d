import Foundation
import TestSupport
import Testing

/// `kinfolk contacts` shows the content of a file, without a store.
@Suite struct ContactsTests {
    private let kinfolk: CommandLineTool
    private static let ada = "b5fc85e55755f9e0d030a10ab4429b6b2944855f9a0d60077fe832becbc41d72"

    init() throws {
        kinfolk = try CommandLineTool()
        _ = try kinfolk.file(
            "contacts.ldif",
            """
            dn: cn=Ada,mail=ada@example.com
            cn: Ada <ada@example.com>
            mail: ada@example.com

            dn: cn=Dentist
            cn: Dentist

            dn: cn=Broken
            mail: nowhere

            """
        )
    }

    @Test func theContentOfAFileIsShown() throws {
        let run = try kinfolk("contacts", "contacts.ldif")
        #expect(run.status == 0)
        #expect(run.errors.isEmpty)
        #expect(
            run.output == """
                Format: LDIF.
                3 entries: 1 contact, one for each e-mail address or hash.
                Without an e-mail address: 1 entry.
                Skipped: 1 entry or address.

                LINE  SKIPPED BECAUSE
                   9  There is no @ in the address.

                """
        )
    }

    @Test func hashesAndLabelsAreShownOnRequest() throws {
        let run = try kinfolk("contacts", "contacts.ldif", "--hashes")
        #expect(run.lines.contains { $0.hasPrefix("CONTACT HASH") && $0.hasSuffix("LABEL") })
        #expect(run.lines.last == "\(Self.ada)  Ada")
        #expect(!run.output.contains("@example"))
    }

    @Test func theJSONHasTheSameContent() throws {
        let document = try kinfolk("contacts", "contacts.ldif", "--json").json()
        #expect(document["format"] as? String == "ldif")
        #expect(document["entries"] as? Int == 3)
        #expect(document["contacts"] as? Int == 1)
        #expect(document["entries_without_email"] as? Int == 1)
        #expect(document["skipped_count"] as? Int == 1)
        let skipped = try #require(document["skipped"] as? [[String: Any]])
        #expect(skipped.map { $0["line"] as? Int } == [9])
        #expect(skipped.map { $0["code"] as? String } == ["noAtSign"])
        #expect(document["hashes"] == nil)
        let hashes = try kinfolk("contacts", "contacts.ldif", "--json", "--hashes").json()["hashes"]
        let contacts = try #require(hashes as? [[String: String]])
        #expect(contacts == [["hash": Self.ada, "label": "Ada"]])
    }

    @Test func standardInputAndPipesAreRead() throws {
        #expect(
            try kinfolk("contacts", "-", input: "ada@example.com, ben@example.org").output.contains(": 2 contacts,")
        )
        let run = try kinfolk.shell("cat contacts.ldif | $kinfolk contacts -")
        #expect(run.output.hasPrefix("Format: LDIF.\n"))
    }

    @Test func noStoreOrKeyIsOpenedOrCreated() throws {
        _ = try kinfolk.file("broken.db", "no store")
        let run = try kinfolk.shell(
            "KINFOLK_STORE=broken.db KINFOLK_KEY_FILE=missing.key $kinfolk contacts contacts.ldif"
        )
        #expect(run.status == 0)
        #expect(try kinfolk.shell("ls").output == "broken.db\ncontacts.ldif\n")
    }

    @Test func anUnreadableFileIsDescribedInTheError() throws {
        _ = try kinfolk.file("calendar.ics", "BEGIN:VCALENDAR\nATTENDEE:mailto:ada@example.com\nEND:VCALENDAR\n")
        let calendar = try kinfolk("contacts", "calendar.ics")
        #expect(calendar.status == 11)
        #expect(calendar.errors.contains("The file calendar.ics is a calendar, which cannot be read."))
        let missing = try kinfolk("contacts", "missing.vcf")
        #expect(missing.status == 12)
        #expect(missing.errors == "Error (unknownItem): There is no file missing.vcf.\n")
        let empty = try kinfolk("contacts", kinfolk.file("empty.vcf", ""))
        #expect(empty.status == 0)
        #expect(empty.output == "The file is empty.\n")
        #expect(try kinfolk("contacts").status == 64)
    }
}
