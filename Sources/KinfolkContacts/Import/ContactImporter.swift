package import KinfolkModel

/// Decodes the bytes of one text as they arrive, and passes the decoded text to the reader of its format.
package struct ContactImporter {
    private var decoder = TextDecoder()
    private var reader: any ContactReader

    package init(_ format: ContactFormat) { reader = format.makeReader() }

    package mutating func push(_ bytes: Span<UInt8>, into book: inout ContactBook) throws(KinfolkError) {
        try decoder.push(bytes) { text throws(KinfolkError) in try reader.push(text, into: &book) }
    }

    package mutating func finish(into book: inout ContactBook) throws(KinfolkError) -> ContactImport {
        try decoder.finish { text throws(KinfolkError) in try reader.push(text, into: &book) }
        try reader.finish(into: &book)
        return reader.report
    }
}
