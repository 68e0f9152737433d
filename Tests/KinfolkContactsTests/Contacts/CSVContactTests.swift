import Kinfolk
import Testing

@Suite("CSV: exports of real programs")
struct CSVContactTests {
    @Test func readsAnExportOfGoogleContacts() throws {
        let (book, report) = try ContactFixture.read("google.csv")
        #expect(report.format == .csv)
        #expect(
            try book.entries == [
                .init("ada@example.com", "Ada King Lovelace"), .init("ada.lovelace@example.org", "Ada King Lovelace"),
                .init("ada@engines.example", "Ada King Lovelace"), .init("cafe@müller.example", "Café Müller"),
            ]
        )
        #expect(report.entries == 3)
        #expect(report.withoutEmail == 1)
        #expect(report.skipped.isEmpty)
    }

    @Test func readsAnOlderExportOfGoogleContacts() throws {
        let (book, report) = try ContactFixture.read("google-old.csv")
        #expect(
            try book.entries == [
                .init("grace@example.com", "Grace Hopper"), .init("grace@example.org", "Grace Hopper"),
            ]
        )
        #expect(report.skips == ["3:noAtSign"])
    }

    @Test func readsAnExportOfOutlook() throws {
        let (book, report) = try ContactFixture.read("outlook.csv")
        #expect(
            try book.entries == [
                .init("juergen.mueller@example.com", "Jürgen Müller"), .init("jm@example.org", "Jürgen Müller"),
                .init("rene@example.com", "René Façade"),
            ]
        )
        #expect(report.skips == ["4:noAtSign"])
    }

    @Test func readsAnExportOfThunderbird() throws {
        let (book, _) = try ContactFixture.read("thunderbird.csv")
        #expect(
            try book.entries == [
                .init("ivan@example.com", "Иван Петров"), .init("i.petrov@пример.example", "Иван Петров"),
                .init("plain@example.com"),
            ]
        )
    }

    @Test func readsSemicolonsTabsLinesBeforeTheHeaderAndNoHeader() throws {
        #expect(
            try ContactFixture.read("semicolon.csv").book.entries == [
                .init("zoe@example.com", "Zoë Łukasz"), .init("ohne@example.com"),
            ]
        )
        #expect(try ContactFixture.read("tabs.csv").book.entries == [.init("ada@example.com", "Ada, Countess")])
        let linkedIn = try ContactFixture.read("linkedin.csv")
        #expect(try linkedIn.book.entries == [.init("ada@example.com", "Ada Lovelace")])
        #expect(linkedIn.report.withoutEmail == 1)
        #expect(
            try ContactFixture.read("headless.csv").book.entries == [
                .init("ada@example.com", "Ada"), .init("grace@example.com", "Grace"),
            ]
        )
    }

    @Test(arguments: [
        ("a@example.com ::: b@example.com:::c@example.com", "abc", 0),
        ("\"a@example.com, b@example.com; c@example.com\nd@example.com\"", "abcd", 0),
        ("\"ａ＠example.com, b＠example.com\"", "ab", 0),
        ("\";, a@example.com;, \"", "a", 0),
        ("\"a@example.com, bad, b@example.com\"", "a", 1),
        ("\"bad\na@example.com\"", "a", 1),
        ("\"a@example,com\"", "", 1),
    ])
    func aCellMayHoldSeveralAddresses(cell: String, names: String, skips: Int) throws {
        var book = ContactBook()
        let report = try book.add("name,email\nA,\(cell)\n", as: .csv)
        #expect(try book.entries == names.map { try .init("\($0)@example.com", "A") })
        #expect(report.skippedCount == skips)
    }

    @Test func aTableWithoutAddressesIsRefused() throws {
        for text in ["name,phone\nAda,1\n", String(repeating: "a,b\n", count: 100), "x"] {
            var book = ContactBook()
            let error = #expect(throws: KinfolkError.self) { try book.add(text, as: .csv) }
            #expect(error?.code == .invalidArgument)
        }
        var book = ContactBook()
        #expect(try book.add("", as: .csv).entries == 0)
        #expect(try book.add("name,email\n", as: .csv).entries == 0)
    }

    @Test func linesAreCountedAsAnEditorDoes() throws {
        for lineEnd in ["\n", "\r\n", "\r"] {
            var book = ContactBook()
            let text = ["name,email", "\"A", "B\",a@example.com", "", "C,bad", "\"D", "", "\",worse@"].joined(
                separator: lineEnd
            )
            #expect(try book.add(text, as: .csv).skips == ["5:noAtSign", "6:emptyDomain"])
            #expect(book.label(at: 0) == "A B")
        }
    }

    // MARK: Columns recognised by their cells

    @Test("addresses and names are found under the headers of every program and language", arguments: TableHeaders.all)
    func tablesOfAllLanguages(_ table: TableHeaders) throws {
        for separator in [",", ";", "\t"] {
            var book = ContactBook()
            let report = try book.add(table.text(separator: separator), as: .csv)
            #expect(try book.entries == table.entries)
            #expect(report.entries == 4)
            #expect(report.withoutEmail == 1)
            #expect(report.skipped.isEmpty)
        }
    }

    @Test func thereAreTablesOfManyLanguages() {
        #expect(TableHeaders.all.count >= 100)
        #expect(Set(TableHeaders.all.map(\.language)).count >= 70)
    }

    @Test(arguments: [0, 1, 99, 100, 101, 10_000, 50_000])
    func theFirstAddressMayBeInAnyRow(rowsBefore: Int) throws {
        // All headers are unknown, so the columns are recognised only by their cells.
        var text = "xa,xb,xc\n" + String(repeating: "Nobody,at home,\n", count: rowsBefore)
        text += "Ada,at work,ada@example.com\nGrace,at sea,grace@\nAlan,,alan@example.com\n"
        let (book, report) = try ContactFixture.withFile(Array(text.utf8)) { path -> (ContactBook, ContactImport) in
            var book = ContactBook()
            let report = try book.add(contentsOfFile: path)
            return (book, report)
        }
        #expect(try book.entries == [.init("ada@example.com", "Ada"), .init("alan@example.com", "Alan")])
        #expect(report.skips == ["\(rowsBefore + 3):emptyDomain"])
        #expect(report.withoutEmail == rowsBefore)
    }

    @Test func tablesWithUnknownHeadersAreRead() throws {
        var book = ContactBook()
        let report = try book.add(
            """
            qapla,qun,qapla qun,SoQ,wa'
            Ada,Lovelace,Ada Lovelace,London,ada@example.com
            Grace,Hopper,Grace Hopper,New York,broken@@example.com
            Alan,Turing,Alan Turing,,Alan <alan@example.com>; at@example.org

            """,
            as: .csv
        )
        #expect(
            try book.entries == [
                .init("ada@example.com", "Ada Lovelace"), .init("alan@example.com", "Alan"),
                .init("at@example.org", "Alan Turing"),
            ]
        )
        #expect(report.skips == ["3:forbiddenCharacter"])
    }

    @Test func textThatMentionsAnAddressIsNoContact() throws {
        var book = ContactBook()
        let report = try book.add(
            """
            qapla,wa',cha'
            Ada,ada@example.com,write to bob@example.com
            Grace,grace@example.com,"bob@example.com, and tell him"
            Alan,alan@example.com,see https://example.com/@alan
            Edith,edith@example.com,@edith

            """,
            as: .csv
        )
        #expect(book.count == 4)
        #expect(report.skipped.isEmpty)
    }

    @Test func anAddressThatOccursTwiceInOneRowIsOneContact() throws {
        var book = ContactBook()
        try book.add(
            "email,e-mail display name\nada@example.com,ada@example.com\nada@example.com,Ada (ADA@example.com)\n",
            as: .csv
        )
        #expect(try book.entries == [.init("ada@example.com"), .init("ada@example.com")])
    }

    @Test func duplicatesAtTheEndOfARowAreDetected() throws {
        var book = ContactBook()
        let report = try book.add(
            """
            qapla,a,b,c,d,e
            Ada,a@example.com,b@example.com,c@example.com,d@example.com,a@example.com
            Grace,a@example.com,b@example.com,c@example.com,d@example.com,A (a@example.com)

            """,
            as: .csv
        )
        #expect(report.added == 8)
        let names = ["Ada", "Ada", "Ada", "Ada", "Grace", "Grace", "Grace", "Grace"]
        #expect(book.entries.map(\.label) == names)
    }

    @Test func aColumnOfRepeatedAddressesHoldsNames() throws {
        // If the repeated addresses counted, the last column would be a column of addresses, and Edith would be skipped.
        var book = ContactBook()
        let people = ["Ada", "Grace"].map { "\($0),a@example.com,b@example.com,c@example.com,a@example.com\n" }.joined()
        let report = try book.add("qapla,a,b,c,d\n" + people + "Edith,e@example.com,,,Edith\n", as: .csv)
        #expect(report.added == 7)
        #expect(report.skipped.isEmpty)
    }

    @Test(arguments: ["Ada,Lovelace,Ada Lovelace", "Lovelace,Ada,Ada Lovelace", "Lovelace,Ada Lovelace"])
    func withoutAHeaderAFullNameReplacesItsParts(_ names: String) throws {
        var book = ContactBook()
        try book.add("\(names),ada@example.com\n", as: .csv)
        #expect(try book.entries == [.init("ada@example.com", "Ada Lovelace")])
    }

    @Test func anAddressWithAFullWidthAtSignIsFoundInAnyColumn() throws {
        var book = ContactBook()
        let report = try book.add("qapla,wa'\nAda,ada＠example.com\nGrace 丠,だ＠example.com\n", as: .csv)
        #expect(try book.entries == [.init("ada@example.com", "Ada"), .init("だ@example.com", "Grace 丠")])
        #expect(report.withoutEmail == 0)
    }

    @Test func aNameThatIsAnAddressIsReplacedByTheNextName() throws {
        var book = ContactBook()
        try book.add(
            """
            display name,given name,family name,nickname,email
            ada@example.com,Ada,Lovelace,,ada@example.com
            grace@example.com,grace@example.com,,Amazing Grace,grace@example.com
            alan@example.com,,,,alan@example.com

            """,
            as: .csv
        )
        #expect(book.entries.map(\.label) == ["Ada Lovelace", "Amazing Grace", ""])
    }

    @Test func everyBrokenAddressOfAColumnIsReported() throws {
        var book = ContactBook()
        let rows = ["bad", "a@b", "ada@example.com", "", "@", "b@example.com", "c@example.com", "d@example.com"]
        let report = try book.add("qapla,wa'\n" + rows.map { "X,\($0)\n" }.joined(), as: .csv)
        #expect(report.added == 4)
        #expect(report.skips == ["2:noAtSign", "3:unqualifiedDomain", "6:emptyLocalPart"])
    }
}
