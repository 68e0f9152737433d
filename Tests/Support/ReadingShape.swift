/// A text of any length that is expensive to read: a beginning, a repeated part, and an end.
package struct ReadingShape: CustomStringConvertible, Sendable {
    package let name: String
    package let beginning: [UInt8]
    /// Fills the first half of the text, which ends in ``middle``. If it is empty, ``unit`` fills all of the text.
    package let firstHalf: [UInt8]
    package let middle: [UInt8]
    package let unit: [UInt8]
    package let end: [UInt8]

    package init(_ name: String, _ beginning: String = "", _ unit: String, _ end: String = "") {
        self.init(name, beginning, firstHalf: "", middle: "", unit, end)
    }

    package init(
        _ name: String,
        _ beginning: String = "",
        firstHalf: String,
        middle: String,
        _ unit: String,
        _ end: String = ""
    ) {
        self.name = name
        self.beginning = Array(beginning.utf8)
        self.firstHalf = Array(firstHalf.utf8)
        self.middle = Array(middle.utf8)
        self.unit = Array(unit.utf8)
        self.end = Array(end.utf8)
    }

    package var description: String { name }

    package func text(_ length: Int) -> [UInt8] {
        var text = beginning
        while !firstHalf.isEmpty, text.count < length / 2 { text += firstHalf }
        text += middle
        while text.count + end.count < length { text += unit }
        return text + end
    }
}

extension ReadingShape {
    private static let quotedPrintable = "BEGIN:VCARD\nVERSION:2.1\nEMAIL;ENCODING=QUOTED-PRINTABLE:"

    private static let cards: [ReadingShape] = [
        ReadingShape("folded lines that end in =", "BEGIN:VCARD\nEMAIL;X=y:a", " =\n"),
        ReadingShape("folded lines that end in =, in quotes", "BEGIN:VCARD\nEMAIL;X=\"y:a", " =\n"),
        ReadingShape("folded lines that end in =, before a colon", "BEGIN:VCARD\nEMAIL;X=y", " =\n"),
        ReadingShape("folded lines within the name", "BEGIN:VCARD\nEMAIL", " =\n"),
        ReadingShape("folded lines with quotes", "BEGIN:VCARD\nEMAIL;X", " \"=\n"),
        ReadingShape("folded lines of parameters", "BEGIN:VCARD\nEMAIL", " ;A=\n"),
        ReadingShape("folded lines of colons", "BEGIN:VCARD\nEMAIL;X=\"", " :=\n"),
        ReadingShape("soft line breaks", quotedPrintable, "a=\n"),
        ReadingShape("soft line breaks without text", quotedPrintable, "=\n"),
        ReadingShape("soft line breaks in a property that is ignored", "BEGIN:VCARD\nNOTE;QUOTED-PRINTABLE:", "=\n"),
        ReadingShape("empty folded lines", "BEGIN:VCARD\nFN:a", " \n"),
        ReadingShape("open cards", "", "BEGIN:VCARD\nEMAIL:no\n"),
        ReadingShape("cards without an end", "BEGIN:VCARD\n", "EMAIL:a@example.com\nBEGIN:VCARD\n"),
        ReadingShape("ends", "", "END:VCARD\n"),
        ReadingShape(
            "two alternating charsets",
            "BEGIN:VCARD\n",
            "EMAIL;CHARSET=gbk:a@é.de\nEMAIL;CHARSET=big5:a@é.de\n",
            "END:VCARD\n"
        ),
        ReadingShape(
            "agents with a charset",
            "BEGIN:VCARD\n",
            "AGENT:BEGIN:VCARD\\nEMAIL\\;CHARSET=gbk:é\\nEND:VCARD\n",
            "END:VCARD\n"
        ),
        ReadingShape(
            "agents in lines",
            "BEGIN:VCARD\nFN:" + String(repeating: "n", count: 1_000) + "\n",
            "AGENT:\nBEGIN:VCARD\nEND:VCARD\nEMAIL:a@b.de\n",
            "END:VCARD\n"
        ),
        ReadingShape(
            "agents in agents",
            "BEGIN:VCARD\n",
            "AGENT:BEGIN:VCARD\\nAGENT:BEGIN:VCARD\\\\n",
            "\nEND:VCARD\n"
        ),
        ReadingShape("names", "BEGIN:VCARD\n", "N:;;;\\\nFN:\n", "END:VCARD\n"),
        ReadingShape("addresses in a value", "BEGIN:VCARD\nEMAIL:", "a@b.de,", "\nEND:VCARD\n"),
        ReadingShape("an @ after many separators", "BEGIN:VCARD\nEMAIL:a@b.de", ",", "@\nEND:VCARD\n"),
        ReadingShape("a value of <", "BEGIN:VCARD\nEMAIL:", "a@b<,", ">\nEND:VCARD\n"),
        ReadingShape("returns", "BEGIN:VCARD\nEMAIL:a", "\r"),
        ReadingShape(
            "a long name and many addresses between agents",
            "BEGIN:VCARD\nFN:",
            firstHalf: "x",
            middle: "\n",
            "EMAIL:a@b.de\nAGENT:BEGIN:VCARD\\nEND:VCARD\n",
            "END:VCARD\n"
        ),
        ReadingShape(
            "a long name and many agents with names",
            "BEGIN:VCARD\nFN:",
            firstHalf: "x",
            middle: "\n",
            "EMAIL:a@b.de\nAGENT:BEGIN:VCARD\\nFN:y\\nEMAIL:a@b.de\\nEND:VCARD\n",
            "END:VCARD\n"
        ),
    ]

    private static let tables: [ReadingShape] = [
        ReadingShape("empty rows of many columns", String(repeating: "email,", count: 2_000) + "\n", "a\n"),
        ReadingShape(
            "rows of many columns for names",
            "email," + String(repeating: "nickname,", count: 2_000) + "\n",
            "a@b.de\n"
        ),
        ReadingShape("columns", "", "email,"),
        ReadingShape("columns in rows", "email,name\n", "a@b.de,"),
        ReadingShape("open quotes", "email,name\n", "\"a@b.de\n"),
        ReadingShape("quotes", "email,name\n", "\""),
        ReadingShape("quotes in rows", "email,name\n", "\"\"\"a\"\"\",\n"),
        ReadingShape("a delimiter that cannot be detected", "", "\"\n"),
        ReadingShape("blank lines", "", "\r\n"),
        ReadingShape("many addresses in a cell", "email\n\"", "a@b.de ::: ", "\""),
        ReadingShape(
            "a long name and many addresses",
            firstHalf: "x",
            middle: ",",
            "a@b.de,b@b.de,c@b.de,d@b.de,e@b.de,"
        ),
        ReadingShape(
            "a long name and many addresses, every second one with its own name",
            String(repeating: "x", count: 1_100) + ",",
            "a@b.c,N<b@b.c>,c@b.c,N<d@b.c>,e@b.c,N<f@b.c>,"
        ),
    ]

    private static let lists: [ReadingShape] = [
        ReadingShape("addresses", "", "ada@example.com\n"),
        ReadingShape("addresses on a line", "", "ada@example.com, "),
        ReadingShape("names", "", "Ada <ada@example.com>\n"),
        ReadingShape(
            "katakana middle dots",
            String(repeating: "・", count: 330) + "@b.de\n",
            String(repeating: "・", count: 330) + "@b.de\n"
        ),
        ReadingShape("katakana middle dots before a letter", "", String(repeating: "・", count: 330) + "あ@b.de\n"),
        ReadingShape("Arabic digits", "", String(repeating: "٠", count: 500) + "@b.de\n"),
        ReadingShape("extended digits", "", String(repeating: "۰", count: 500) + "@b.de\n"),
        ReadingShape(
            "non-joiners",
            "",
            "ب" + String(repeating: "\u{64B}", count: 240) + "\u{200C}" + String(repeating: "\u{64B}", count: 240)
                + "ب@b.de\n"
        ),
        ReadingShape("sigmas", "", String(repeating: "Σ'", count: 330) + "@b.de\n"),
        ReadingShape("sigmas among marks", "", "aΣ" + String(repeating: "\u{301}", count: 480) + "Σ@b.de\n"),
        ReadingShape("middle dots in a domain", "", "a@" + String(repeating: "・", count: 330) + ".de\n"),
        ReadingShape("labels", "", "a@" + String(repeating: "é.", count: 30) + "de\n"),
        ReadingShape("dots", "", "a@" + String(repeating: "。", count: 330) + "\n"),
        ReadingShape("links", "", "mailto:" + String(repeating: "%40", count: 300) + "\n"),
        ReadingShape("hashes", "", String(repeating: "a", count: 64) + "\n"),
    ]

    private static let entries: [ReadingShape] = [
        ReadingShape("entries", "", "dn: cn=Ada,mail=ada@example.com\ncn: Ada\nmail: ada@example.com\n\n"),
        ReadingShape("empty entries", "", "dn:\n"),
        ReadingShape("folded lines within the name of an attribute", "dn: x\nma", "\n i"),
        ReadingShape("folded lines without a colon", "dn: x\n", "a\n b\n"),
        ReadingShape("a folded value", "dn: x\nmail: a", "\n a"),
        ReadingShape("a folded name", "dn: x\ncn: a", "\n a@b"),
        ReadingShape("a folded value of base64", "dn: x\nmail:: ", "\n YUBi"),
        ReadingShape("attributes without a name", "dn: x\n", ":\n"),
        ReadingShape("long names of attributes", "dn: x\n", String(repeating: "a", count: 130) + "\n"),
        ReadingShape("options", "dn: x\nmail", ";a"),
        ReadingShape("names of an entry", "dn: x\n", "cn: a@b\nsn: c@d\n"),
        ReadingShape("many addresses of an entry", "dn: x\n", "mail: a@b.de\n"),
        ReadingShape("changes", "", "dn: x\nmail: a@b.de\nchangetype: modify\n"),
        ReadingShape("changes of one entry", "dn: x\n", "changetype: delete\n"),
        ReadingShape("addresses in an attribute", "dn: x\nmail: ", "a@b.de,"),
    ]

    private static let jCard = "[\"vcard\",["

    private static let jCards: [ReadingShape] = [
        ReadingShape("jCards", "[", jCard + "[\"fn\",{},\"text\",\"Ada\"],[\"email\",{},\"text\",\"a@b.de\"]]],", "1]"),
        ReadingShape("empty jCards", "[", "[\"vcard\"],", "1]"),
        ReadingShape("jCards that never end", "", jCard),
        ReadingShape("open brackets", "", "["),
        ReadingShape("brackets", "", "[{}]"),
        ReadingShape("a long string", "\"", "a"),
        ReadingShape("escapes", "[\"vcard\",[[\"email\",{},\"text\",\"", "\\u0040"),
        ReadingShape("half surrogate pairs", "\"", "\\uD83C"),
        ReadingShape("names of a card", jCard, "[\"fn\",{},\"text\",\"a@b\"],[\"n\",{},\"text\",[\"c@d\"]],", "1]]"),
        ReadingShape("parts of a name", jCard + "[\"n\",{},\"text\",[[", "\"a\",", "1]]]]]"),
        ReadingShape("parts of a name with addresses", jCard + "[\"n\",{},\"text\",[\"\",[", "\"a@b\",", "1]]]]]"),
        ReadingShape("values of a property", jCard + "[\"email\",{},\"text\"", ",\"a@b.de\"", "]]]"),
        ReadingShape("addresses in a string", jCard + "[\"email\",{},\"text\",\"", "a@b.de,", "\"]]]"),
        ReadingShape("numbers", "[", "1,", "1]"),
        ReadingShape("a long number", "", "1"),
        ReadingShape("members", "{", "\"vcard\":[\"vcard\"],", "\"\":1}"),
    ]

    package static var all: [ReadingShape] { cards + tables + lists + entries + jCards }

    /// The shapes of a format, by the raw value of `ContactFormat`.
    package static func shapes(of format: String) -> [ReadingShape] {
        ["vCard": cards, "csv": tables, "list": lists, "ldif": entries, "jCard": jCards][format] ?? []
    }
}
