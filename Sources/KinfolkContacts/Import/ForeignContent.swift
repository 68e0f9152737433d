import KinfolkModel

/// Kinds of files that people mistake for contact files. The error names the kind and says what to export instead.
enum ForeignContent {
    case abook
    case archive
    case calendar
    case compressed
    case image
    case json
    case mailbox
    case mork
    case muttAliases
    case officeDocument
    case outlookData
    case pdf
    case propertyList
    case rtf
    case sqlite
    case webPage
    case xml

    /// Whether a list of addresses may begin like this.
    var mayHoldList: Bool { self == .json || self == .mailbox }

    /// The error for a file in none of the supported formats.
    static func error(for sample: Span<UInt8>) -> KinfolkError {
        let text = ContactFormat.decoded(sample, isAll: true)
        guard let content = ForeignContent(binary: sample) ?? ForeignContent(text: text.span) else {
            return KinfolkError(
                .invalidArgument,
                """
                The file is no contact book. Expected was a vCard, jCard or LDIF file, a CSV file with a column of e-mail \
                addresses, or a list in which nearly every line is an e-mail address or contact hash.
                """
            )
        }
        let (name, advice) = content.words
        return KinfolkError(.invalidArgument, "The file is \(name), which cannot be read. \(advice)")
    }

    private var words: (name: StaticString, advice: StaticString) {
        switch self {
        case .abook:
            ("an address book of abook", "Export it as vCard: abook --convert --informat abook --outformat vcard.")
        case .archive:
            ("a ZIP archive, or a spreadsheet (XLSX, ODS, Numbers)", "Save the sheet as CSV, or unpack the archive.")
        case .calendar: ("a calendar", "Export the contacts as vCard.")
        case .compressed: ("compressed", "Unpack it first.")
        case .image: ("an image", "Export the contacts as vCard or CSV.")
        case .json: ("JSON without a jCard in it", "Export the contacts as vCard, jCard or CSV.")
        case .mailbox: ("an e-mail message or mailbox", "Export the address book of the mail program as vCard or CSV.")
        case .mork: ("a Thunderbird address book (.mab)", "Export it in Thunderbird as vCard, LDIF or CSV.")
        case .muttAliases: ("an alias file of Mutt or NeoMutt", "Write its addresses to a file, one a line.")
        case .officeDocument: ("a workbook or document of Microsoft Office", "Save it as CSV.")
        case .outlookData: ("an Outlook data file", "Export the contacts in Outlook as CSV.")
        case .pdf: ("a PDF document", "Export the contacts as vCard or CSV.")
        case .propertyList: ("a property list", "Export the contacts in Contacts as vCard.")
        case .rtf: ("a document (RTF)", "Save it as plain text with an e-mail address a line.")
        case .sqlite: ("an SQLite database", "Export the contacts as vCard in the program that it belongs to.")
        case .webPage: ("a web page", "Export the contacts as vCard or CSV.")
        case .xml: ("XML", "Export the contacts as vCard or CSV.")
        }
    }

    /// Detects the kind by the first bytes; nil if they match no kind.
    init?(binary sample: Span<UInt8>) {
        for (start, content) in Self.beginnings where sample.count >= start.count {
            let beginning = start.span
            if sample.extracting(first: start.count).isEqual(to: beginning) {
                self = content
                return
            }
        }
        return nil
    }

    private static let beginnings: [([UInt8], ForeignContent)] = [
        (Array("PK\u{3}\u{4}".utf8), .archive),
        (Array("PK\u{5}\u{6}".utf8), .archive),
        (Array("7z".utf8) + [0xBC, 0xAF], .compressed),
        (Array("Rar!\u{1A}\u{7}".utf8), .compressed),
        ([0x1F, 0x8B], .compressed),
        (Array("BZh".utf8), .compressed),
        ([0xFD] + Array("7zXZ".utf8), .compressed),
        ([0x28, 0xB5, 0x2F, 0xFD], .compressed),
        ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], .officeDocument),
        (Array("%PDF-".utf8), .pdf),
        (Array("SQLite format 3\u{0}".utf8), .sqlite),
        (Array("!BDN".utf8), .outlookData),
        (Array("bplist0".utf8), .propertyList),
        ([0x89] + Array("PNG".utf8), .image),
        ([0xFF, 0xD8, 0xFF], .image),
        (Array("GIF8".utf8), .image),
    ]

    /// Detects the kind by the first lines; nil if they match no kind.
    init?(text: Span<UInt8>) {
        var lines = Lines()
        var reader = LineReader()
        try? reader.push(text) { line, _, _ in lines.look(at: line) }
        try? reader.finish { line, _, _ in lines.look(at: line) }
        guard let content = lines.content else { return nil }
        self = content
    }

    private struct Lines {
        private var first: ForeignContent?
        private var count = 0
        private var isAbook = false
        private var isFormatOfAbook = false
        private var aliases = 0

        var content: ForeignContent? {
            if isAbook || isFormatOfAbook { return .abook }
            if aliases > 0, 2 * aliases >= count { return .muttAliases }
            return first
        }

        mutating func look(at line: Span<UInt8>) {
            let content = line.extracting(line.trimmedASCIIRange)
            guard !content.isEmpty else { return }
            guard content[0] != UInt8(ascii: "#") else {
                isAbook = isAbook || count == 0 && content.isASCII("# abook addressbook file")
                return
            }
            if count == 0 { first = Self.kind(of: content) }
            isFormatOfAbook = isFormatOfAbook || content.isASCII("program=abook")
            if Self.isAlias(content) { aliases += 1 }
            count += 1
        }

        /// The kind that the first line indicates.
        private static func kind(of line: Span<UInt8>) -> ForeignContent? {
            for (start, content) in beginnings where line.hasASCIIPrefix(start) { return content }
            return line.isASCII("[") ? .json : nil
        }

        private static let beginnings: [(StaticString, ForeignContent)] = [
            ("begin:vcalendar", .calendar),
            ("<!doctype html", .webPage),
            ("<html", .webPage),
            ("<?xml", .xml),
            ("{\\rtf", .rtf),
            ("// <!-- <mdb:mork:z", .mork),
            ("from ", .mailbox),
            ("from:", .mailbox),
            ("received:", .mailbox),
            ("return-path:", .mailbox),
            ("delivered-to:", .mailbox),
            ("mime-version:", .mailbox),
            ("{", .json),
            ("[{", .json),
            ("[\"", .json),
            ("[[", .json),
        ]

        /// `alias ada Ada Lovelace <ada@example.com>`: the command, a name without spaces, and an address.
        private static func isAlias(_ line: Span<UInt8>) -> Bool {
            let command = "alias".utf8.count
            guard line[0] == UInt8(ascii: "a"), line.hasASCIIPrefix("alias"), line.count > command + 1,
                ASCII.isSpace(line[command])
            else { return false }
            var index = command
            while index < line.count, ASCII.isSpace(line[index]) { index += 1 }
            while index < line.count, !ASCII.isSpace(line[index]) { index += 1 }
            ReadingSteps.take(index)
            return index < line.count && line.extracting(index..<line.count).contains(UInt8(ascii: "@"))
        }
    }
}
