import KinfolkModel

/// Reads the entries of LDIF (RFC 2849) of any size.
struct LDIFReader: ContactReader {
    private var lines = LineReader()
    private var entries = Entries()

    var report: ContactImport { entries.parser.report }

    mutating func push(_ text: Span<UInt8>, into book: inout ContactBook) throws(KinfolkError) {
        try lines.push(text) { (line, number, next) throws(KinfolkError) in
            try entries.read(line, number, next, into: &book)
        }
    }

    mutating func finish(into book: inout ContactBook) throws(KinfolkError) {
        try lines.finish { (line, number, next) throws(KinfolkError) in
            try entries.read(line, number, next, into: &book)
        }
        try entries.finish(into: &book)
        guard report.entries > 0 || !entries.hasContent else {
            throw KinfolkError(.invalidArgument, "No line names an entry, as “dn:” does: this is not LDIF.")
        }
    }

    /// Processes the lines.
    private struct Entries {
        var unfolder = LDIFUnfolder()
        var parser = LDIFParser()
        /// Whether the text has more than blank lines, comments and the version.
        var hasContent = false

        mutating func read(
            _ line: Span<UInt8>,
            _ number: Int,
            _ next: UInt8?,
            into book: inout ContactBook
        ) throws(KinfolkError) {
            if !hasContent, line.count > 0 {
                let isOther = line[0] == UInt8(ascii: "#") || line[0] == 0x20 || line.hasASCIIPrefix("version:")
                hasContent = !isOther
            }
            try unfolder.push(line, number, next) { (attribute, line, number, isCut) throws(KinfolkError) in
                try parser.read(attribute, line, number, isCut: isCut, into: &book)
            }
        }

        mutating func finish(into book: inout ContactBook) throws(KinfolkError) {
            try unfolder.finish { (attribute, line, number, isCut) throws(KinfolkError) in
                try parser.read(attribute, line, number, isCut: isCut, into: &book)
            }
            parser.finish(&book)
        }
    }
}
