import Kinfolk
import Testing

@Suite("Address list")
struct AddressListTests {
    @Test func readsAnAddressANameOrAHashOnEachLine() throws {
        let (book, report) = try ContactFixture.read("list.txt")
        let hash = try #require(ContactHash(hex: "e2b8e2cb0ac6d2a4fc0d1b0d9b40f2ff1f4d1f0d4b2c0a2b4b0b6b4f4d4e4f40"))
        #expect(report.format == .list)
        #expect(
            try book.entries == [
                .init("ada@example.com"), .init("grace@example.com", "Grace Hopper"),
                .init("ada@example.org", "Lovelace, Ada"), .init("jurgen@example.com", "Jürgen Müller"),
                .init("alan@example.com"), .init("a@example.com"), .init("b@example.com"),
                .init("c@example.com", "Carol"), .init(hash: hash, label: ""),
            ]
        )
        #expect(report.added == 9)
        #expect(report.entries == 8)
        #expect(report.skips == ["7:noAtSign"])
    }

    @Test func aNameWithAnAddressBecomesOneLine() throws {
        var book = ContactBook()
        try book.add("Grace\u{10}\u{1B}  Hopper\u{7} <grace@example.com>\nada@example.com (Ada\u{7F}L.)\n", as: .list)
        #expect((0..<2).map { book.label(at: $0) } == ["Grace Hopper", "Ada L."])
    }

    @Test(arguments: ["\n", "\r\n", "\r"])
    func countsLinesOfEveryKind(lineEnd: String) throws {
        var book = ContactBook()
        let text = ["a@example.com", "", "# comment", "bad", "b@example.com", "worse@"].joined(separator: lineEnd)
        let report = try book.add(text, as: .list)
        #expect(report.skips == ["4:noAtSign", "6:emptyDomain"])
        #expect(book.count == 2)
    }

    @Test func textWithoutAnAddressIsNoList() throws {
        var book = ContactBook()
        let error = #expect(throws: KinfolkError.self) { try book.add("Dear Ada,\nhow are you?\n", as: .list) }
        #expect(error?.code == .invalidArgument)
        #expect(book.isEmpty)
    }

    @Test(arguments: ["", "\n\n", "# nobody\n"])
    func anEmptyListIsAList(text: String) throws {
        var book = ContactBook()
        let report = try book.add(text, as: .list)
        #expect(report.entries == 0)
        #expect(book.isEmpty)
    }

    @Test func listsAtMostAThousandSkippedLinesAndCountsAll() throws {
        var book = ContactBook()
        let report = try book.add("a@example.com\n" + String(repeating: "bad\n", count: 2_500), as: .list)
        #expect(report.skippedCount == 2_500)
        #expect(report.skipped.count == 1_000)
        #expect(report.skipped.last?.line == 1_001)
    }

    @Test func readsUTF16AndWindows1252() throws {
        let text = "Jürgen <jürgen@bücher.example>\n"
        let utf16 = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        let bigEndian = text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        let latin = text.unicodeScalars.map { UInt8($0.value) }
        let samples = [
            Array(text.utf8), [0xEF, 0xBB, 0xBF] + Array(text.utf8), [0xFF, 0xFE] + utf16, utf16,
            [0xFE, 0xFF] + bigEndian, bigEndian, latin,
        ]
        for bytes in samples {
            var book = ContactBook()
            try book.add(bytes, as: .list)
            #expect(try book.entries == [.init("jürgen@bücher.example", "Jürgen")])
        }
    }

    @Test func halfASurrogatePairBecomesAReplacementCharacter() throws {
        var book = ContactBook()
        let units: [UInt16] =
            [0xFEFF, 0xD83D] + Array(" <a@example.com>\n\u{1F600} <b@example.com>\n".utf16) + [0xD83D]
        let report = try book.add(units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }, as: .list)
        #expect(book.label(at: 0) == "\u{FFFD}")
        #expect(book.label(at: 1) == "\u{1F600}")
        #expect(report.skips == ["3:noAtSign"])
    }
}
