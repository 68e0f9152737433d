/// Reads vCard 2.1, 3.0 and 4.0, in files that grow to any size.
///
/// It joins folded lines, makes contacts of what matters, and starts again at the next card where one is broken.
struct VCardReader: ContactReader {
    private var lines = LineReader()
    private var cards: Cards

    /// - Parameters:
    ///   - depth: How many cards this text lies within.
    ///   - line: The line to report for all of it, if it is the value of one property.
    ///   - charsets: Those of the text that it lies within.
    init(depth: Int = 0, line: Int? = nil, charsets: Charsets = Charsets()) {
        cards = Cards(parser: VCardParser(depth: depth, charsets: charsets), line: line)
    }

    var report: ContactImport { cards.parser.report }

    mutating func push(_ text: Span<UInt8>, into book: inout ContactBook) throws(KinfolkError) {
        try lines.push(text) { (line, number, next) throws(KinfolkError) in
            try cards.read(line, number, next, into: &book)
        }
    }

    mutating func finish(into book: inout ContactBook) throws(KinfolkError) {
        try finishCards(into: &book)
        guard report.entries > 0 || lines.lineNumber == 0 else {
            throw KinfolkError(.invalidArgument, "There is no BEGIN:VCARD: this is not a vCard.")
        }
    }

    /// Reads what was waiting for more.
    mutating func finishCards(into book: inout ContactBook) throws(KinfolkError) {
        try lines.finish { (line, number, next) throws(KinfolkError) in
            try cards.read(line, number, next, into: &book)
        }
        try cards.finish(into: &book)
    }

    /// What becomes of the lines.
    private struct Cards {
        var unfolder = VCardUnfolder()
        var parser: VCardParser
        let line: Int?

        mutating func read(
            _ line: Span<UInt8>,
            _ number: Int,
            _ next: UInt8?,
            into book: inout ContactBook
        ) throws(KinfolkError) {
            try unfolder.push(line, self.line ?? number, next) { (property, line, number, isCut) throws(KinfolkError) in
                try parser.read(property, line, number, isCut: isCut, into: &book)
            }
            unfolder.keepsFoldingSpace = parser.isVersion21
        }

        mutating func finish(into book: inout ContactBook) throws(KinfolkError) {
            try unfolder.finish { (property, line, number, isCut) throws(KinfolkError) in
                try parser.read(property, line, number, isCut: isCut, into: &book)
            }
            parser.finish(&book)
        }
    }
}
