import KinfolkModel

/// Reads addresses, `Name <address>` or contact hashes, one per line or several addresses with separators between them. Blank
/// lines and lines that begin with `#` are ignored.
struct AddressListReader: ContactReader {
    private var lines = LineReader()
    private var entries = Entries()

    var report: ContactImport { entries.report }

    mutating func push(_ text: Span<UInt8>, into book: inout ContactBook) throws(KinfolkError) {
        try lines.push(text) { (line, number, _) throws(KinfolkError) in
            try entries.read(line, number, into: &book)
        }
    }

    mutating func finish(into book: inout ContactBook) throws(KinfolkError) {
        try lines.finish { (line, number, _) throws(KinfolkError) in
            try entries.read(line, number, into: &book)
        }
        guard entries.hasCandidate || report.entries == 0 else {
            throw KinfolkError(
                .invalidArgument,
                "No line is an e-mail address or a contact hash of 64 hexadecimal digits."
            )
        }
    }

    /// Processes the lines.
    private struct Entries {
        var report = ContactImport(format: .list)
        /// Whether any line may have been meant as an address.
        var hasCandidate = false

        mutating func read(_ line: Span<UInt8>, _ number: Int, into book: inout ContactBook) throws(KinfolkError) {
            let content = line.trimmedASCIIRange
            guard !content.isEmpty, line[content.lowerBound] != UInt8(ascii: "#") else { return }
            report.entries += 1
            let entry = line.extracting(content)
            if try report.addPlainAddress(entry, to: &book) {
                hasCandidate = true
            } else if let hash = ContactHash(hexDigits: entry) {
                try book.append(hash)
                report.added += 1
                hasCandidate = true
            } else {
                try Windows1252.withRepaired(line) { (line) throws(KinfolkError) in
                    try readAddress(line, number, into: &book)
                }
            }
        }

        private mutating func readAddress(
            _ line: Span<UInt8>,
            _ number: Int,
            into book: inout ContactBook
        ) throws(KinfolkError) {
            let addedBefore = report.added
            let isCut = line.count >= LineReader.maximumByteCount
            _ = try report.addAddresses(in: line, line: number, isCut: isCut, to: &book)
            hasCandidate = hasCandidate || report.added > addedBefore || line.contains(UInt8(ascii: "@"))
        }
    }
}
