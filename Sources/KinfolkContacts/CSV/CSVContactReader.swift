import KinfolkModel

/// Reads contacts from a table: a row is a person, with one or more addresses in one or more columns.
struct CSVContactReader: ContactReader {
    private var table = CSVReader()
    private var rows = CSVContactRows()

    var report: ContactImport { rows.report }

    mutating func push(_ text: Span<UInt8>, into book: inout ContactBook) throws(KinfolkError) {
        try table.push(text) { row throws(KinfolkError) in try rows.read(row, into: &book) }
    }

    mutating func finish(into book: inout ContactBook) throws(KinfolkError) {
        try table.finish { row throws(KinfolkError) in try rows.read(row, into: &book) }
        try rows.finish(into: &book)
    }
}
