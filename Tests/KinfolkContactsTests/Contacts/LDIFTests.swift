import Kinfolk
import Testing

@Suite("LDIF")
struct LDIFTests {
    private func read(_ text: String) throws -> (entries: [ContactBook.Entry], report: ContactImport) {
        var book = ContactBook()
        let report = try book.add(text, as: .ldif)
        return (book.entries, report)
    }

    @Test func readsAnExportOfThunderbird() throws {
        let (book, report) = try ContactFixture.read("thunderbird.ldif")
        #expect(
            try book.entries == [
                .init("ada@example.com", "Ada Lovelace"), .init("ada@example.org", "Ada Lovelace"),
                .init("jurgen@example.com", "Jürgen Müller"), .init("grace@example.com", "Grace Hopper"),
            ]
        )
        #expect(report.entries == 6)
        #expect(report.withoutEmail == 2)
        #expect(report.skips == ["47:noAtSign"])
    }

    @Test func readsAnswersOfLDAPServers() throws {
        let (book, report) = try ContactFixture.read("directory.ldif")
        #expect(
            try book.entries == [
                .init("alan@example.com", "Alan Turing"), .init("alan@example.org", "Alan Turing"),
                .init("mary@example.com", "Mary Somerville"), .init("mary@example.org", "Mary Somerville"),
                .init("m.somerville@example.org", "Mary Somerville"), .init("grace@example.com", "Grace Hopper"),
            ]
        )
        #expect(report.entries == 4)
        #expect(report.withoutEmail == 0)
        #expect(report.skips.map { $0.drop { $0 != ":" } } == [":linkedValue", ":invalidBase64", ":changeRecord"])
    }

    @Test func aLineMayBeFoldedAnywhere() throws {
        let text = "dn: x\nma\n il\n :\n  ada@exa\n mple.c\n om\n\ndn: y\nc\n n: Ben\nmail: ben@example.com\n"
        #expect(try read(text).entries == [.init("ada@example.com"), .init("ben@example.com", "Ben")])
        #expect(try read(text.replacing("\n", with: "\r\n")).entries.count == 2)
    }

    @Test func aCommentMayBeFoldedToo() throws {
        #expect(
            try read("dn: x\n# mail: \n a@example.com\n mail: b@example.com\nmail: c@example.com\n").entries.count == 1
        )
    }

    @Test func attributesAreNamedInAnyCaseWithOptionsOrByNumber() throws {
        for name in [
            "mail", "MAIL", "Mail;lang-fr;x-work", "mozillaSecondEmail", "rfc822Mailbox", "email", "emailAddress",
            "mailAlternateAddress", "0.9.2342.19200300.100.1.3",
        ] {
            #expect(try read("dn: x\n\(name): ada@example.com\n").entries == [.init("ada@example.com")], "\(name)")
        }
        for name in ["mailHost", "xmail", "email2x", "homepage", "manager"] {
            let report = try read("dn: x\n\(name): ada@example.com\n").report
            #expect(report.added == 0, "\(name)")
            #expect(report.withoutEmail == 1)
        }
    }

    @Test func theLabelIsTheFirstNameOfTheEntry() throws {
        let names = ["cn: ada@example.com", "cn: Common", "displayName: Display", "givenName: Given", "sn: Sur"]
        #expect(
            try read((["dn: x", "mail: a@example.com"] + names).joined(separator: "\n")).entries[0].label == "Common"
        )
        let rest = [names[0]] + names[2...]
        #expect(
            try read((["dn: x", "mail: a@example.com"] + rest).joined(separator: "\n")).entries[0].label == "Display"
        )
        #expect(try read("dn: x\nsn: Sur\nmail: a@example.com\ngn: Given").entries[0].label == "Given Sur")
        #expect(try read("dn: x\nsn: Sur\nmail: a@example.com").entries[0].label == "Sur")
    }

    @Test func aRecordThatChangesAnotherIsSkipped() throws {
        for change in ["modify", "delete", "modrdn", "moddn", "nonsense"] {
            let text =
                "dn: x\nmail: a@example.com\nmail: no\nchangetype: \(change)\nmail: b@example.com\n\ndn: y\nmail: c@example.com\n"
            let (entries, report) = try read(text)
            #expect(try entries == [.init("c@example.com")])
            #expect(report.skips == ["1:changeRecord"])
            #expect(report.entries == 2)
        }
    }

    @Test func anEntryMayFollowAnotherWithoutABlankLine() throws {
        #expect(
            try read("dn: x\ncn: A\nmail: a@example.com\ndn: y\nmail: b@example.com\n").entries == [
                .init("a@example.com", "A"), .init("b@example.com"),
            ]
        )
    }

    @Test func aValueThatIsTooLongIsReportedAndNotTruncatedToAnAddress() throws {
        let folds = String(repeating: "\n " + String(repeating: "a@example.com,", count: 100), count: 60)
        let (entries, report) = try read("dn: x\nmail: \(folds)\nmail: b@example.com\n")
        #expect(try entries == [.init("b@example.com")])
        #expect(report.skips == ["2:valueTooLong"])
    }

    @Test func aValueThatIsNotUTF8IsReadAsWindows1252() throws {
        var book = ContactBook()
        try book.add(Array("dn: x\ncn: J".utf8) + [0xFC] + Array("rgen\nmail: a@example.com\n".utf8), as: .ldif)
        #expect(book.label(at: 0) == "Jürgen")
    }

    @Test func base64MayLackItsPadding() throws {
        for (address, digits) in [
            ("a@example.com", "YUBleGFtcGxlLmNvbQ"), ("ab@example.com", "YWJAZXhhbXBsZS5jb20"),
            ("abc@example.com", "YWJjQGV4YW1wbGUuY29t"),
        ] {
            let padding = String(repeating: "=", count: (4 - digits.utf8.count % 4) % 4)
            for value in [digits, digits + padding, String(digits.prefix(5)) + "\n  " + String(digits.dropFirst(5))] {
                let (entries, report) = try read("dn: x\nmail:: \(value)\n")
                #expect(try entries == [.init(address)], "\(value)")
                #expect(report.skips.isEmpty)
            }
            for value in [digits + padding + "=", digits + "A===", digits + "*", "=" + digits] {
                let report = try read("dn: x\nmail:: \(value)\n").report
                #expect(report.skips == ["2:invalidBase64"], "\(value)")
            }
        }
    }

    @Test func textWithoutAnEntryIsNoLDIF() throws {
        for text in ["ada@example.com\n", "Dear Ada: how are you?\n", "{}"] {
            let error = #expect(throws: KinfolkError.self) { try read(text) }
            #expect(error?.code == .invalidArgument)
        }
        for text in ["", "version: 1\n", "# nobody\n\n"] { #expect(try read(text).report.entries == 0) }
    }
}
