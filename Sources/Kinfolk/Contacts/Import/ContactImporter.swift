/// Decodes the bytes of one text as they arrive, and passes the decoded text to the reader of its format.
struct ContactImporter {
    private var decoder = TextDecoder()
    private var reader: any ContactReader

    init(_ format: ContactFormat) { reader = format.makeReader() }

    mutating func push(_ bytes: Span<UInt8>, into book: inout ContactBook) throws(KinfolkError) {
        try decoder.push(bytes) { text throws(KinfolkError) in try reader.push(text, into: &book) }
    }

    mutating func finish(into book: inout ContactBook) throws(KinfolkError) -> ContactImport {
        try decoder.finish { text throws(KinfolkError) in try reader.push(text, into: &book) }
        try reader.finish(into: &book)
        return reader.report
    }
}
