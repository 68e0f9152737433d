/// A reader of one of the formats: it is given decoded text in pieces of any size and adds what it finds to a book.
protocol ContactReader {
    /// What has been read so far.
    var report: ContactImport { get }

    mutating func push(_ text: Span<UInt8>, into book: inout ContactBook) throws(KinfolkError)

    /// Reads what was waiting for more, and throws if nothing at all was of the format.
    mutating func finish(into book: inout ContactBook) throws(KinfolkError)
}
