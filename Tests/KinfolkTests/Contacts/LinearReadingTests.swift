#if DEBUG
@testable import Kinfolk
import Testing

/// Whatever is read, twice as much of it takes about twice as many steps, and few for each byte.
///
/// Steps are counted (``ReadingSteps``), so the speed of the machine makes no difference.
@Suite struct LinearReadingTests {
    /// A text of any length: a beginning, and what is repeated.
    struct Shape: CustomTestStringConvertible, Sendable {
        let name: String
        var beginning: [UInt8] = []
        let unit: [UInt8]
        var end: [UInt8] = []

        init(_ name: String, _ beginning: String = "", _ unit: String, _ end: String = "") {
            self.name = name
            self.beginning = Array(beginning.utf8)
            self.unit = Array(unit.utf8)
            self.end = Array(end.utf8)
        }

        var testDescription: String { name }

        func text(_ length: Int) -> [UInt8] {
            var text = beginning
            while text.count + end.count < length { text += unit }
            return text + end
        }
    }

    private func expectLinear(
        _ length: Int,
        perByte limit: Int,
        _ steps: (Int) throws -> Int,
        _ comment: Comment? = nil
    ) rethrows {
        let (once, twice) = (try steps(length), try steps(2 * length))
        #expect(once > 0, comment)
        #expect(twice <= limit * 2 * length, comment)
        // A quarter more than double: where something of a fixed size is added to all.
        #expect(twice * 4 <= once * 9 + 4 * 100_000, comment)
    }

    private static let quotedPrintable = "BEGIN:VCARD\nVERSION:2.1\nEMAIL;ENCODING=QUOTED-PRINTABLE:"

    static let cards: [Shape] = [
        Shape("folded lines that end in =", "BEGIN:VCARD\nEMAIL;X=y:a", " =\n"),
        Shape("folded lines that end in =, in quotes", "BEGIN:VCARD\nEMAIL;X=\"y:a", " =\n"),
        Shape("folded lines that end in =, before a colon", "BEGIN:VCARD\nEMAIL;X=y", " =\n"),
        Shape("folded lines within the name", "BEGIN:VCARD\nEMAIL", " =\n"),
        Shape("folded lines with quotes", "BEGIN:VCARD\nEMAIL;X", " \"=\n"),
        Shape("folded lines of parameters", "BEGIN:VCARD\nEMAIL", " ;A=\n"),
        Shape("folded lines of colons", "BEGIN:VCARD\nEMAIL;X=\"", " :=\n"),
        Shape("soft line breaks", quotedPrintable, "a=\n"),
        Shape("soft line breaks of nothing", quotedPrintable, "=\n"),
        Shape("soft line breaks of what is passed over", "BEGIN:VCARD\nNOTE;QUOTED-PRINTABLE:", "=\n"),
        Shape("empty folded lines", "BEGIN:VCARD\nFN:a", " \n"),
        Shape("open cards", "", "BEGIN:VCARD\nEMAIL:no\n"),
        Shape("cards without an end", "BEGIN:VCARD\n", "EMAIL:a@example.com\nBEGIN:VCARD\n"),
        Shape("ends", "", "END:VCARD\n"),
        Shape(
            "two charsets by turns",
            "BEGIN:VCARD\n",
            "EMAIL;CHARSET=gbk:a@é.de\nEMAIL;CHARSET=big5:a@é.de\n",
            "END:VCARD\n"
        ),
        Shape(
            "agents with a charset",
            "BEGIN:VCARD\n",
            "AGENT:BEGIN:VCARD\\nEMAIL\\;CHARSET=gbk:é\\nEND:VCARD\n",
            "END:VCARD\n"
        ),
        Shape(
            "agents in lines",
            "BEGIN:VCARD\nFN:" + String(repeating: "n", count: 1_000) + "\n",
            "AGENT:\nBEGIN:VCARD\nEND:VCARD\nEMAIL:a@b.de\n",
            "END:VCARD\n"
        ),
        Shape("agents in agents", "BEGIN:VCARD\n", "AGENT:BEGIN:VCARD\\nAGENT:BEGIN:VCARD\\\\n", "\nEND:VCARD\n"),
        Shape("names", "BEGIN:VCARD\n", "N:;;;\\\nFN:\n", "END:VCARD\n"),
        Shape("addresses in a value", "BEGIN:VCARD\nEMAIL:", "a@b.de,", "\nEND:VCARD\n"),
        Shape("an @ after many separators", "BEGIN:VCARD\nEMAIL:a@b.de", ",", "@\nEND:VCARD\n"),
        Shape("a value of <", "BEGIN:VCARD\nEMAIL:", "a@b<,", ">\nEND:VCARD\n"),
        Shape("returns", "BEGIN:VCARD\nEMAIL:a", "\r"),
    ]

    @Test(arguments: cards) func cardsAreReadInSteps(_ shape: Shape) throws {
        expectLinear(60_000, perByte: 60) { length in
            ReadingSteps.of {
                var book = ContactBook()
                _ = try? book.addVCard(shape.text(length))
            }
        }
    }

    static let tables: [Shape] = [
        Shape("empty rows of many columns", String(repeating: "email,", count: 2_000) + "\n", "a\n"),
        Shape(
            "rows of many columns for names",
            "email," + String(repeating: "nickname,", count: 2_000) + "\n",
            "a@b.de\n"
        ),
        Shape("columns", "", "email,"),
        Shape("columns in rows", "email,name\n", "a@b.de,"),
        Shape("open quotes", "email,name\n", "\"a@b.de\n"),
        Shape("quotes", "email,name\n", "\""),
        Shape("quotes in rows", "email,name\n", "\"\"\"a\"\"\",\n"),
        Shape("a delimiter that is never told", "", "\"\n"),
        Shape("blank lines", "", "\r\n"),
        Shape("many addresses in a cell", "email\n\"", "a@b.de ::: ", "\""),
    ]

    @Test(arguments: tables) func tablesAreReadInSteps(_ shape: Shape) throws {
        expectLinear(120_000, perByte: 60) { length in
            ReadingSteps.of {
                var book = ContactBook()
                _ = try? book.addCSV(shape.text(length))
            }
        }
    }

    static let lists: [Shape] = [
        Shape("addresses", "", "ada@example.com\n"),
        Shape("addresses on a line", "", "ada@example.com, "),
        Shape("names", "", "Ada <ada@example.com>\n"),
        Shape(
            "katakana middle dots",
            String(repeating: "・", count: 330) + "@b.de\n",
            String(repeating: "・", count: 330) + "@b.de\n"
        ),
        Shape("Arabic digits", "", String(repeating: "٠", count: 500) + "@b.de\n"),
        Shape("extended digits", "", String(repeating: "۰", count: 500) + "@b.de\n"),
        Shape(
            "non-joiners",
            "",
            "ب" + String(repeating: "\u{64B}", count: 240) + "\u{200C}" + String(repeating: "\u{64B}", count: 240)
                + "ب@b.de\n"
        ),
        Shape("sigmas", "", String(repeating: "Σ'", count: 330) + "@b.de\n"),
        Shape("sigmas among marks", "", "aΣ" + String(repeating: "\u{301}", count: 480) + "Σ@b.de\n"),
        Shape("middle dots in a domain", "", "a@" + String(repeating: "・", count: 330) + ".de\n"),
        Shape("labels", "", "a@" + String(repeating: "é.", count: 30) + "de\n"),
        Shape("dots", "", "a@" + String(repeating: "。", count: 330) + "\n"),
        Shape("links", "", "mailto:" + String(repeating: "%40", count: 300) + "\n"),
        Shape("hashes", "", String(repeating: "a", count: 64) + "\n"),
    ]

    @Test(arguments: lists) func listsAreReadInSteps(_ shape: Shape) throws {
        expectLinear(40_000, perByte: 60) { length in
            ReadingSteps.of {
                var book = ContactBook()
                _ = try? book.addText(shape.text(length))
            }
        }
    }

    @Test func textsOfChanceAreReadInSteps() {
        let words = [
            "BEGIN:VCARD", "END:VCARD", "VERSION:2.1", "EMAIL", "FN", "N", "AGENT", "CHARSET=gbk", "CHARSET=koi8-r",
            "QUOTED-PRINTABLE", "ENCODING=Q", "email", "nickname", "name", "a@b.de", "@", "é", "・", "٠", "Σ", "\u{301}",
            "mailto:", "%40", " ", "\t", "\n", "\r", "\r\n", "=", "=\n", " =\n", ":", ";", ",", "\"", "\"\"", "\\",
            "\\n",
            "<", ">", "(", ")", ".", "-", "xn--", "=C3", ":::", "#",
        ]
        var random = SeededGenerator(seed: 13)
        for _ in 0..<400 {
            func some(_ range: ClosedRange<Int>) -> String {
                (0..<Int.random(in: range, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
                    .joined()
            }
            let beginning =
                ["BEGIN:VCARD\n", "email,name\n", "", "BEGIN:VCARD\nEMAIL;"].randomElement(using: &random) ?? ""
            let shape = Shape("", beginning + some(0...3), some(1...5), some(0...2))
            let format = Int.random(in: 0..<3, using: &random)
            expectLinear(
                6_000,
                perByte: 100,
                { length in
                    ReadingSteps.of {
                        var book = ContactBook()
                        switch format {
                        case 0: _ = try? book.addVCard(shape.text(length))
                        case 1: _ = try? book.addCSV(shape.text(length))
                        default: _ = try? book.addText(shape.text(length))
                        }
                    }
                },
                "format \(format): \(shape.beginning) \(shape.unit) \(shape.end)"
            )
        }
    }

    @Test(arguments: [
        ("a%d@example.com ::: ", "email\n"), ("a@b.de ::: ", "email\n"), ("é:::", "email\n"), (" ", "email\n"),
    ])
    func rowsOfPeopleAreReadInSteps(_ unit: String, _ header: String) throws {
        let columns = try #require(Self.rows(of: Array(header.utf8)) { try? PeopleColumns(header: $0) })
        expectLinear(40_000, perByte: 60) { length in
            var text = Array("\"".utf8)
            var number = 0
            while text.count < length {
                text += Array(unit.replacing("%d", with: "\(number)").utf8)
                number += 1
            }
            text += Array("\"\n".utf8)
            return ReadingSteps.of {
                _ = Self.rows(of: text) { row in try? Newcomer(row, columns) { _ in } }
            }
        }
    }

    /// What `body` makes of the last row.
    private static func rows<Result>(of text: [UInt8], _ body: (CSVRow) -> Result?) -> Result? {
        var result: Result?
        var table = CSVReader()
        try? table.push(text.span) { result = body($0) }
        try? table.finish { result = body($0) }
        return result
    }

    @Test func aRecordTakesNoMoreFieldsThanAContainerHas() throws {
        let store = try TestService()
        var record = try store.session("Ada").fetchUserRecord()
        let steps = try ReadingSteps.of {
            for number in (0..<Record.maximumFields).reversed() { try record.set("f\(10_000 + number)", to: .int64(1)) }
        }
        #expect(steps <= Record.maximumFields * Record.maximumFields)
        try record.set("f10000", to: .int64(2))
        #expect { try record.set("g", to: .int64(1)) } throws: { ($0 as? KinfolkError)?.code == .limitExceeded }
    }

    @Test func formatsAreToldInSteps() throws {
        for shape in Self.cards + Self.tables + Self.lists {
            expectLinear(
                20_000,
                perByte: 100,
                { length in
                    ReadingSteps.of {
                        let text = shape.text(length)
                        _ = ContactFormat(detecting: text.span, isAll: true)
                    }
                },
                "\(shape.name)"
            )
        }
    }
}
#endif
