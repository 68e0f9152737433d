import KinfolkModel

/// Reads vCard 2.1, 3.0 and 4.0 of any size.
///
/// It joins folded lines, creates contacts from the properties, and continues with the next card after a broken one.
struct VCardReader: ContactReader {
    private var lines = LineReader()
    private var cards: Cards

    /// - Parameters:
    ///   - depth: The number of cards that this text is nested in.
    ///   - line: The line to report for all of the text, if it is the value of one property.
    ///   - charsets: The charsets of the enclosing text.
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

    /// Processes text that is still buffered.
    mutating func finishCards(into book: inout ContactBook) throws(KinfolkError) {
        try lines.finish { (line, number, next) throws(KinfolkError) in
            try cards.read(line, number, next, into: &book)
        }
        try cards.finish(into: &book)
    }

    /// Processes the lines.
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
