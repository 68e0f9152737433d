/// Reads contacts from a table: a row is a person, with one or more addresses in one or more columns.
struct CSVContactReader: ContactReader {
    private var table = CSVReader()
    private var rows = Rows()

    var report: ContactImport { rows.report }

    mutating func push(_ text: Span<UInt8>, into book: inout ContactBook) throws(KinfolkError) {
        try table.push(text) { row throws(KinfolkError) in try rows.read(row, into: &book) }
    }

    mutating func finish(into book: inout ContactBook) throws(KinfolkError) {
        try table.finish { row throws(KinfolkError) in try rows.read(row, into: &book) }
        if rows.columns == nil, rows.linesBeforeHeader > 0 { throw Rows.noColumns }
    }

    /// What becomes of the rows.
    private struct Rows {
        static let noColumns = KinfolkError(
            .invalidArgument,
            "No column of the table holds e-mail addresses: a header such as “email” or “E-mail 1 - Value” is expected."
        )

        /// Some exports have a few lines of explanation before the header.
        private static let maximumLinesBeforeHeader = 5

        var report = ContactImport(format: .csv)
        private(set) var columns: CSVColumns?
        private(set) var linesBeforeHeader = 0

        mutating func read(_ row: CSVRow, into book: inout ContactBook) throws(KinfolkError) {
            guard let columns else { return try findColumns(row, into: &book) }
            report.entries += 1
            if let fault = row.fault { return report.skip(fault, line: row.line) }

            let first = book.count
            var hasAddress = false
            // A header may name more columns than a row has fields, by any number.
            for column in columns.addresses {
                guard column < row.count else { break }
                let isEmpty = try row.withField(at: column) { field throws(KinfolkError) in
                    try add(field, row.line, to: &book)
                }
                hasAddress = hasAddress || !isEmpty
            }
            if !hasAddress { report.withoutEmail += 1 }
            if book.count > first { book.setLabel(columns.label(of: row).span, for: first..<book.count) }
        }

        private mutating func findColumns(_ row: CSVRow, into book: inout ContactBook) throws(KinfolkError) {
            columns = CSVColumns(header: row)
            if columns != nil { return }
            columns = CSVColumns(headless: row)
            if columns != nil { return try read(row, into: &book) }
            linesBeforeHeader += 1
            if linesBeforeHeader > Self.maximumLinesBeforeHeader { throw Self.noColumns }
        }

        /// Adds the addresses of one field, and tells whether there are none.
        private mutating func add(
            _ field: Span<UInt8>,
            _ line: Int,
            to book: inout ContactBook
        ) throws(KinfolkError) -> Bool {
            if try report.addPlainAddress(field, to: &book) { return false }
            if let repaired = Windows1252.repaired(field) {
                return try report.addAddresses(in: repaired.span, line: line, to: &book) == 0
            }
            return try report.addAddresses(in: field, line: line, to: &book) == 0
        }
    }
}
