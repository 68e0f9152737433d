import Kinfolk
import Testing

@Suite("vCard: syntax")
struct VCardSyntaxTests {
    private func read(_ text: String) throws -> (book: ContactBook, report: ContactImport) {
        var book = ContactBook()
        let report = try book.add(text, as: .vCard)
        return (book, report)
    }

    /// One card of version 3.0 with these lines.
    private func card(_ lines: String..., version: String = "3.0") -> String {
        (["BEGIN:VCARD", "VERSION:\(version)"] + lines + ["END:VCARD", ""]).joined(separator: "\r\n")
    }

    @Test(arguments: ["\n", "\r\n", "\r"])
    func everyKindOfLineEndIsRead(lineEnd: String) throws {
        let text = ["BEGIN:VCARD", "EMAIL:bad", "FN:A", "EMAIL:a@example.com", "END:VCARD"].joined(separator: lineEnd)
        let (book, report) = try read(text)
        #expect(try book.entries == [.init("a@example.com", "A")])
        #expect(report.skips == ["2:noAtSign"])
    }

    @Test func aPropertyMayBeFoldedAnywhere() throws {
        let (book, _) = try read(card("EM", " AIL;TYPE=", "\thome:a@exam", " ple.com", "FN:Ada", "  Love", " lace"))
        #expect(try book.entries == [.init("a@example.com", "Ada Lovelace")])
    }

    @Test func foldingMaySplitACharacter() throws {
        let folded =
            Array("BEGIN:VCARD\r\nEMAIL:a@example.com\r\nFN:J".utf8) + [0xC3, 13, 10, 32, 0xBC]
            + Array("rgen\r\nEND:VCARD".utf8)
        var book = ContactBook()
        try book.add(folded, as: .vCard)
        #expect(book.label(at: 0) == "Jürgen")
    }

    @Test func namesMayComeAfterAddressesAndInAnyCase() throws {
        let (book, _) = try read("begin:vcard\nemail:a@example.com\nFn:Ada\nend:vcard\n")
        #expect(try book.entries == [.init("a@example.com", "Ada")])
    }

    @Test func theFormattedNameIsPreferredToTheStructuredOne() throws {
        #expect(
            try read(card("N:Lovelace;Ada;;;", "FN:Countess", "EMAIL:a@example.com")).book.label(at: 0) == "Countess"
        )
        #expect(
            try read(card("N:Love\\;lace;Ada;King;Lady;", "EMAIL:a@example.com")).book.label(at: 0)
                == "Ada King Love;lace"
        )
        #expect(try read(card("FN:", "N:Lovelace", "EMAIL:a@example.com")).book.label(at: 0) == "Lovelace")
        #expect(try read(card("EMAIL:a@example.com")).book.label(at: 0).isEmpty)
    }

    @Test func escapesAndControlCharactersBecomeOneLine() throws {
        let (book, _) = try read(card("FN:  Ada\\, Countess\\nof\\\\Lovelace\\;\u{7}  ", "EMAIL:a@example.com"))
        #expect(book.label(at: 0) == "Ada, Countess of\\Lovelace;")
    }

    @Test func aSoftLineBreakHidesWhatLooksLikeAProperty() throws {
        let text = card(
            "NOTE;ENCODING=QUOTED-PRINTABLE:first=",
            "EMAIL:nobody@example.com=",
            "FN:Nobody",
            "FN;QUOTED-PRINTABLE:Ada=",
            "=20Lovelace",
            "EMAIL;ENCODING=quoted-printable:a=40example.com",
            version: "2.1"
        )
        let (book, report) = try read(text)
        #expect(try book.entries == [.init("a@example.com", "Ada Lovelace")])
        #expect(report.skipped.isEmpty)
    }

    @Test func aSoftLineBreakDoesNotHideTheEndOfACard() throws {
        let (book, report) = try read(
            card("EMAIL:a@example.com", "NOTE;ENCODING=QUOTED-PRINTABLE:cut=", version: "2.1")
        )
        #expect(try book.entries == [.init("a@example.com")])
        #expect(report.skipped.isEmpty)
    }

    @Test func base64WithoutIndentationIsSkipped() throws {
        let lines =
            ["PHOTO;ENCODING=BASE64;JPEG:"] + [String](repeating: String(repeating: "Em/+a9", count: 12), count: 200)
            + ["AA==", ""]
        let text = "BEGIN:VCARD\nVERSION:2.1\n" + lines.joined(separator: "\n") + "\nEMAIL:a@example.com\nEND:VCARD\n"
        let (book, report) = try read(text)
        #expect(try book.entries == [.init("a@example.com")])
        #expect(report.skipped.isEmpty)
    }

    @Test func aPhotoOfMegabytesInOneLineIsSkipped() throws {
        let photo = String(repeating: "A", count: 5_000_000)
        let (book, report) = try read(
            card("PHOTO:\(photo)", "FN:A", "EMAIL:a@example.com", "EMAIL:b@example.com\(photo)")
        )
        #expect(try book.entries == [.init("a@example.com", "A")])
        #expect(report.skips == ["6:valueTooLong"])
    }

    @Test func quotedParametersMayHoldColonsAndSemicolons() throws {
        let (book, _) = try read(
            card("EMAIL;X=\"a:b;c\";Y=\"CHARSET=x\":a@example.com", "item2.email;X=\"unclosed:b@example.com")
        )
        #expect(try book.entries == [.init("a@example.com"), .init("b@example.com")])
    }

    @Test func anEmptyAddressIsIgnored() throws {
        let (book, report) = try read(card("EMAIL;TYPE=HOME:", "EMAIL: ", "TEL:+44 1632 960000"))
        #expect(book.isEmpty)
        #expect(report.withoutEmail == 1)
        #expect(report.skipped.isEmpty)
    }

    @Test func theAgentOfABrokenCardIsIgnoredToo() throws {
        let (book, report) = try read(
            "BEGIN:VCARD\nAGENT:\nBEGIN:VCARD\nEMAIL:agent@example.com\nEND:VCARD\nEMAIL:a@example.com\n"
                + card("EMAIL:b@example.com")
        )
        #expect(try book.entries == [.init("b@example.com")])
        #expect(report.skips == ["1:cardWithoutEnd"])
        #expect(report.added == 1)
    }

    @Test func anAgentWithoutANameDoesNotGetTheNameOfItsCard() throws {
        let (book, _) = try read(
            card("FN:A", "AGENT:BEGIN:VCARD\\nEMAIL:agent@example.com\\nEND:VCARD", "EMAIL:a@example.com")
        )
        #expect(try book.entries == [.init("agent@example.com"), .init("a@example.com", "A")])
    }

    @Test func nestedCardsHaveALimit() throws {
        var agent = "BEGIN:VCARD\nEMAIL:deepest@example.com\nEND:VCARD\n"
        for level in 0..<8 {
            let escaped = agent.replacing("\\", with: "\\\\").replacing("\n", with: "\\n").replacing(";", with: "\\;")
            agent = "BEGIN:VCARD\nEMAIL:level\(level)@example.com\nAGENT:\(escaped)\nEND:VCARD\n"
        }
        let (book, report) = try read(agent)
        #expect(try book.entries == (4...7).reversed().map { try .init("level\($0)@example.com") })
        #expect(report.skips == ["3:cardTooDeep"])

        let (nested, _) = try read(
            String(repeating: "BEGIN:VCARD\nAGENT:\n", count: 10_000) + card("EMAIL:a@example.com")
        )
        #expect(nested.count <= 1)
    }

    @Test func anUnknownOrDangerousCharsetIsIgnored() throws {
        for charset in [
            "X-NONE", "ISO-2022-JP-3", "IBM1364", "UTF-8//IGNORE", "../../x", String(repeating: "A", count: 5_000),
        ] {
            let (book, _) = try read(
                card("FN;CHARSET=\(charset):Zoë", "EMAIL;CHARSET=\(charset):a@example.com", version: "2.1")
            )
            #expect(try book.entries == [.init("a@example.com", "Zoë")])
        }
    }

    @Test func textThatIsNeitherUTF8NorDeclaredIsReadAsWindows1252() throws {
        var book = ContactBook()
        try book.add(
            Array("BEGIN:VCARD\nFN:Zo".utf8) + [0xEB, 0x20, 0x80] + Array("\nEMAIL:a@b".utf8) + [0xFC]
                + Array("cher.example\nEND:VCARD".utf8),
            as: .vCard
        )
        #expect(try book.entries == [.init("a@bücher.example", "Zoë €")])
    }

    @Test func utf16IsRead() throws {
        let text = card("FN:Zoë 山田 \u{1F600}", "EMAIL:a@example.com")
        for mark in [[UInt16(0xFEFF)], []] {
            var book = ContactBook()
            try book.add(
                (mark + Array(text.utf16)).flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] },
                as: .vCard
            )
            #expect(try book.entries == [.init("a@example.com", "Zoë 山田 \u{1F600}")])
        }
    }

    @Test func aTextWithoutACardIsNoVCard() throws {
        for text in ["a@example.com", "EMAIL:a@example.com\n", "BEGIN:VCALENDAR\nEND:VCALENDAR\n"] {
            var book = ContactBook()
            let error = #expect(throws: KinfolkError.self) { try book.add(text, as: .vCard) }
            #expect(error?.code == .invalidArgument)
        }
        var book = ContactBook()
        #expect(try book.add("", as: .vCard).entries == 0)
    }

    @Test func filesMayBeJoinedWithTheirMarksAndWithoutLineEnds() throws {
        let (book, report) = try ContactFixture.read("joined.vcf")
        #expect(
            try book.entries == [
                .init("ada@example.com", "Ada"), .init("grace@example.com", "Grace"), .init("alan@example.com", "Alan"),
                .init("mary@example.com", "Mary"),
            ]
        )
        #expect(report.entries == 4)
        #expect(report.skipped.isEmpty)
        for between in ["", "\u{FEFF}", "\n\u{FEFF}", "\u{FEFF}\n\u{FEFF}"] {
            let one = "BEGIN:VCARD\nEMAIL:a@example.com\nEND:VCARD",
                other = "BEGIN:VCARD\nEMAIL:b@example.com\nEND:VCARD\n"
            var joined = ContactBook()
            let report = try joined.add(one + between + other, as: .vCard)
            #expect(try joined.entries == [.init("a@example.com"), .init("b@example.com")])
            #expect(report.skipped.isEmpty)
        }
    }

    @Test func anAddressThatIsTooLongIsNotTruncatedToAnotherOne() throws {
        let addresses = String(repeating: "a@example.com,", count: 6_000)
        let (book, report) = try read(card("EMAIL:\(addresses)", "EMAIL:b@example.com"))
        #expect(try book.entries == [.init("b@example.com")])
        #expect(report.skips.map { $0.drop { $0 != ":" } } == [":valueTooLong"])
    }
}
