import KinfolkModel

/// A reader of one format. It receives decoded text in pieces of any size and adds the contacts it finds to a book.
protocol ContactReader {
    /// The result so far.
    var report: ContactImport { get }

    mutating func push(_ text: Span<UInt8>, into book: inout ContactBook) throws(KinfolkError)

    /// Processes text that is still buffered; throws if the whole text contained nothing in this format.
    mutating func finish(into book: inout ContactBook) throws(KinfolkError)
}
