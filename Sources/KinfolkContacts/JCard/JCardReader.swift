import KinfolkModel

/// Reads jCards (RFC 7095) of any size.
struct JCardReader: ContactReader {
    private var tokens = JSONTokens()
    private var parser = JCardParser()

    var report: ContactImport { parser.report }

    mutating func push(_ text: Span<UInt8>, into book: inout ContactBook) throws(KinfolkError) {
        try tokens.push(text) { (token, text, line) throws(KinfolkError) in
            try parser.read(token, text, line, into: &book)
        }
    }

    mutating func finish(into book: inout ContactBook) throws(KinfolkError) {
        try tokens.finish { (token, text, line) throws(KinfolkError) in
            try parser.read(token, text, line, into: &book)
        }
        guard report.entries > 0 || !parser.hasContent else {
            throw KinfolkError(.invalidArgument, "There is no array that begins with “vcard”: this is not a jCard.")
        }
    }
}
