@testable import Kinfolk
import Testing
import TestSupport

/// A book has hashes and labels, and no label contains an address.
@Suite("Labels without addresses")
struct AddressFreeLabelTests {
    private func label(_ text: String) throws -> String {
        var book = ContactBook()
        try book.add(email: "somebody@example.org", label: text)
        return book.label(at: 0)
    }

    @Test(arguments: [
        ("ada@example.com", ""), (" ada@example.com ", ""), ("Ada <ada@example.com> (work)", "Ada (work)"),
        ("Ada<ada@example.com>", "Ada"), ("\"Ada\" <ada@example.com>", "Ada"), ("'ada@example.com'", ""),
        ("<ada@example.com>", ""), ("ada@example.com (Ada)", "(Ada)"), ("Ada, ada@example.com", "Ada"),
        ("Ada (ada@example.com)", "Ada"), ("Ada (work ada@example.com)", "Ada (work )"),
        ("Ada ada@example.com Lovelace", "Ada Lovelace"), ("ada@example.com, ben@example.com", ""),
        ("Ada ada＠example.com", "Ada"), ("Ada ada﹫example.com", "Ada"),
        ("Ada mailto:ada%40example.com?subject=x", "Ada"),
        ("\"a b\"@example.com Ada", "a Ada"), ("jürgen@bücher.example Jürgen", "Jürgen"), ("a@b", ""),
        ("@ada@social.example", ""),
        ("Ada\u{A0}ada@example.com", "Ada"), ("Ada\u{3000}ada@example.com", "Ada"),
        ("ada\u{200B}@\u{200B}example.com", ""),
        ("ada\u{FEFF}@example.com", ""), ("Ada: ada@example.com", "Ada"), ("ada(home)@example.com", ""),
        ("x@y a<>@b", "a @b"),
        ("ada{@example.com", ""), ("x <ada{@example.com>", "x"), ("{@example.com", ""),
        ("Ada ((work ada@example.com))", "Ada ((work ))"), ("((ada@example.com work)) Ada", "(( work)) Ada"),
        ("Ada [({'work ada@example.com'})]", "Ada [({'work '})]"),
        ("Ada\nada@example.com", "Ada"), ("a@b@c", ""), ("ada@[192.0.2.1] Ada", "Ada"),
    ])
    func anAddressIsRemovedFromALabel(_ text: String, _ expected: String) throws {
        #expect(try label(text) == expected)
    }

    @Test(arguments: [
        "Ada @ Work", "@ada", "Ada (@ada)", "Ada @", "＠", "50%", "50%4", "Ada  Lovelace", "Müller & Söhne <Berlin>",
        "%40", "a% 40", "",
        "()", "阿達", "@",
    ])
    func textWithoutAnAddressIsKept(_ text: String) throws {
        #expect(try label(text) == text)
    }

    @Test func aLabelIsMeasuredAfterItsAddressWasRemoved() throws {
        var book = ContactBook()
        try book.add(
            String(repeating: "x", count: 500) + "@example.com" + String(repeating: "y", count: 1_000)
                + " Ada <a@example.com>",
            as: .list
        )
        #expect(book.label(at: book.count - 1) == "Ada")
    }

    @Test func everyWayToAddAContactRemovesAddressesFromItsLabel() throws {
        var book = ContactBook()
        let label = "Ada <ada@example.com>"
        try book.add(email: "ada@example.com", label: label)
        try book.add(hash: EmailAddress("ada@example.com").contactHash, label: label)
        try book.add("ada@example.com <ada@example.com>\nAda ada@example.com <ada@example.com>\n", as: .list)
        try book.add("BEGIN:VCARD\nFN:ada@example.com\nN:Lovelace;Ada\nEMAIL:ada@example.com\nEND:VCARD\n", as: .vCard)
        try book.add(
            "BEGIN:VCARD\nFN:ada@example.com\nN:ada@example.com\nEMAIL:ada@example.com\nEND:VCARD\n",
            as: .vCard
        )
        try book.add("name,email\n\(label),ada@example.com\n", as: .csv)
        try book.add("dn: x\ncn: \(label)\nmail: ada@example.com\n", as: .ldif)
        try book.add(
            "[\"vcard\",[[\"fn\",{},\"text\",\"\(label)\"],[\"email\",{},\"text\",\"ada@example.com\"]]]",
            as: .jCard
        )
        #expect(book.entries.map(\.label) == ["Ada", "Ada", "", "Ada", "Ada Lovelace", "", "Ada", "Ada", "Ada"])
    }

    /// Whether there is an at sign between two characters that can be part of an address.
    private func holdsAddress(_ label: String) -> Bool {
        let decoded = label.replacing("%40", with: "@").replacing("＠", with: "@").replacing("﹫", with: "@")
        return decoded.contains(#/[^\s<>,;()\[\]{}"]@[^\s<>,;()\[\]{}"]/#)
    }

    @Test func noLabelOfAnyImportHoldsAnAddress() throws {
        var random = SeededGenerator(seed: 25)
        let words = [
            "Ada", "Lovelace", "ada@example.com", "<ada@example.com>", "(ben@example.org)", "ada＠example.com",
            "a﹫b.example", "ada%40example.com",
            "mailto:ada@example.com", "\"", "'", "<", ">", "(", ")", "[", "]", "{", "}", ":", "-", "@", "＠", "%40", "é",
            "阿", "🌱", "\u{200B}",
            "\u{FEFF}", "\u{A0}", " ", "  ", "\t", "x", ".", "&", "/",
        ]
        func some(_ most: Int) -> String {
            (0..<Int.random(in: 0...most, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
                .joined()
        }
        func quoted(_ text: String) -> String {
            text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\t", with: "\\t")
        }
        for number in 0..<10_000 {
            let (name, other) = (some(9), some(5))
            var book = ContactBook()
            switch number % 6 {
            case 0: try book.add(email: "p@example.com", label: name)
            case 1:
                try book.add(
                    "BEGIN:VCARD\nFN:\(name)\nN:\(other);\(name)\nEMAIL:p@example.com\nEND:VCARD\n",
                    as: .vCard
                )
            case 2: _ = try? book.add("p@example.com\n\(name) <p@example.com>\np@example.com (\(other))\n", as: .list)
            case 3:
                try book.add("dn: x\ncn: \(name)\ngivenName: \(other)\nsn: \(name)\nmail: p@example.com\n", as: .ldif)
            case 4:
                let properties =
                    "[\"fn\",{},\"text\",\"\(quoted(name))\"],[\"n\",{},\"text\",[\"\(quoted(other))\",\"\(quoted(name))\"]]"
                try book.add("[\"vcard\",[\(properties),[\"email\",{},\"text\",\"p@example.com\"]]]", as: .jCard)
            default:
                let cells = [name, other].map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }.joined(separator: ",")
                try book.add("given name,family name,email\n\(cells),p@example.com\n", as: .csv)
            }
            #expect(!book.isEmpty)
            for index in 0..<book.count {
                let label = book.label(at: index)
                if holdsAddress(label) { Issue.record("“\(label)” of “\(name)” and “\(other)”") }
                var again = ContactBook()
                try again.add(email: "p@example.com", label: label)
                #expect(again.label(at: 0) == label)
            }
        }
    }
}
