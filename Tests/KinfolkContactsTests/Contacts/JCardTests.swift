import Kinfolk
import Testing

@Suite("jCard")
struct JCardTests {
    private func read(_ text: String) throws -> (entries: [ContactBook.Entry], report: ContactImport) {
        var book = ContactBook()
        let report = try book.add(text, as: .jCard)
        return (book.entries, report)
    }

    private func card(_ properties: String...) -> String { "[\"vcard\",[\(properties.joined(separator: ","))]]" }

    private func email(_ address: String) -> String { "[\"email\",{},\"text\",\"\(address)\"]" }

    @Test func readsOneCard() throws {
        let (book, report) = try ContactFixture.read("card.json")
        let label = "Jürgen Müller 🌱"
        #expect(try book.entries == [.init("jurgen@example.com", label), .init("jurgen@example.org", label)])
        #expect(report.format == .jCard)
        #expect(report.entries == 1)
        #expect(report.skips.isEmpty)
    }

    @Test func readsAnArrayOfCards() throws {
        let (book, report) = try ContactFixture.read("cards.json")
        #expect(
            try book.entries == [
                .init("ada@example.com", "Ada King Noel Lovelace"), .init("ada@example.org", "Ada King Noel Lovelace"),
                .init("grace@example.com", "Grace Hopper"),
            ]
        )
        #expect(report.entries == 4)
        #expect(report.withoutEmail == 1)
        #expect(report.skips == ["10:noAtSign"])
    }

    @Test func cardsMayBeInsideOtherJSONOrFollowEachOther() throws {
        let one = card(email("a@example.com")), other = card(email("b@example.com"))
        for text in [
            "[\(one),\(other)]", "\(one)\n\(other)\n",
            "{\"vcardArray\":\(one),\"entities\":[{\"vcardArray\":\(other)}]}",
            "\(one)\u{FEFF}\(other)", "[[[\(one)]],{\"x\":[1,\(other)]}]",
        ] {
            #expect(try read(text).entries == [.init("a@example.com"), .init("b@example.com")], "\(text)")
        }
    }

    @Test func onlyValuesOfThePropertyCount() throws {
        let others = [
            "[\"note\",{},\"text\",\"a@example.com\"]", "[\"tel\",{\"email\":\"a@example.com\"},\"text\",\"1\"]",
            "[\"email\",{\"x\":[\"a@example.com\"]},\"a@example.com\"]", "\"a@example.com\"",
            "{\"email\":\"a@example.com\"}",
            "[[\"email\",{},\"text\",\"a@example.com\"]]",
            "[\"x\",{},\"text\",[\"email\",{},\"text\",\"a@example.com\"]]",
        ]
        for other in others {
            let (entries, report) = try read(card(other, email("b@example.com")))
            #expect(try entries == [.init("b@example.com")], "\(other)")
            #expect(report.skips.isEmpty)
        }
        let list = "[\"email\",{},\"text\",[\"b@example.com\",[\"c@example.com\"]],\"d@example.com\"]"
        #expect(try read(card(list)).entries.count == 3)
    }

    @Test func escapesAreDecoded() throws {
        let name = #"["fn",{},"text","\"A\"\/\u00e9\uD83C\uDF31\uD83Cx\uDF31\t\\"]"#
        let text = card(name, #"["email",{},"text","\u0061\u0040example.com"]"#)
        let (entries, _) = try read(text)
        #expect(try entries == [.init("a@example.com", "\"A\"/é🌱\u{FFFD}x\u{FFFD} \\")])
    }

    @Test func aTruncatedCardIsIgnored() throws {
        let text = "[" + card(email("a@example.com")) + ",\n" + "[\"vcard\",[" + email("b@example.com")
        let (entries, report) = try read(text)
        #expect(try entries == [.init("a@example.com")])
        #expect(report.skips == ["2:cardWithoutEnd"])
        #expect(report.entries == 2)
    }

    @Test(arguments: [",[\"vca", ",", "", ",[1", ",12", ",{\"x\"", ",\"\\", ",\"\\u00"])
    func aTextTruncatedOutsideOfCardsIsReported(_ rest: String) throws {
        let (entries, report) = try read("[" + card(email("a@example.com")) + rest)
        #expect(try entries == [.init("a@example.com")])
        #expect(report.skips == ["1:invalidJSON"])
    }

    @Test(arguments: [
        "}", ",]", "\"x\" \"y\"", "'", "[1 2]", "{\"a\" 1}", "{1:2}", "\"\\x\"", "\"\\u00g0\"", "]]]]", "\u{1}",
    ])
    func readingStopsWhereTheTextIsNotJSON(_ fault: String) throws {
        let text =
            "[\(card(email("a@example.com"))),\n[\"vcard\",[\(email("b@example.com")),\(fault),\(email("c@example.com"))]]]"
        let (entries, report) = try read(text)
        #expect(try entries == [.init("a@example.com")])
        #expect(report.skips == ["2:invalidJSON"])
    }

    @Test func deeplyNestedBracketsAreRefused() throws {
        let deep = String(repeating: "[", count: 100_000)
        let (entries, report) = try read(card(email("a@example.com")) + deep)
        #expect(entries.count == 1)
        #expect(report.skips == ["1:invalidJSON"])
        #expect(try read(String(repeating: "[", count: 60) + card(email("a@example.com"))).entries.count == 1)
    }

    @Test func aStringThatIsTooLongIsReportedAndNotTruncatedToAnAddress() throws {
        let long = String(repeating: "a@example.com,", count: 6_000)
        let (entries, report) = try read(card(email(long), email("b@example.com")))
        #expect(try entries == [.init("b@example.com")])
        #expect(report.skips == ["1:valueTooLong"])
    }

    @Test func jsonWithoutACardIsNoJCard() throws {
        for text in ["[]", "[", "\"vcard", "{\"email\":\"ada@example.com\"}", "[\"card\",[]]", "ada@example.com"] {
            let error = #expect(throws: KinfolkError.self) { try read(text) }
            #expect(error?.code == .invalidArgument)
        }
        #expect(try read(" \n").report.entries == 0)
    }
}
