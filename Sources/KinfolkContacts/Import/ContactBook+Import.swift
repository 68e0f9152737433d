public import KinfolkModel

extension ContactBook {
    /// Adds the contacts in a text.
    ///
    /// An entry that cannot be used is skipped and reported. Each case of ``ContactFormat`` says what is read.
    ///
    /// ```swift
    /// let report = try book.add("BEGIN:VCARD\nFN:Ada\nEMAIL:ada@example.com\nEND:VCARD\n", as: .vCard)
    /// print(report.added)  // 1
    /// ```
    ///
    /// - Throws: `invalidArgument` if no part of the text is of this format; `limitExceeded` if the book is full. Nothing has been
    ///   added then.
    @discardableResult
    public mutating func add(_ text: String, as format: ContactFormat) throws(KinfolkError) -> ContactImport {
        try add(text.utf8.span, format)
    }

    /// Adds the contacts in a text that is given as bytes: UTF-8, UTF-16 with a byte-order mark, or Windows-1252; in a vCard
    /// also the encoding that each `CHARSET` names.
    @discardableResult
    public mutating func add(_ bytes: [UInt8], as format: ContactFormat) throws(KinfolkError) -> ContactImport {
        try add(bytes.span, format)
    }

    /// Adds the contacts in a text that is given as bytes: UTF-8, UTF-16 with a byte-order mark, or Windows-1252; in a vCard
    /// also the encoding that each `CHARSET` names.
    @discardableResult
    public mutating func add(
        _ bytes: UnsafeRawBufferPointer,
        as format: ContactFormat
    ) throws(KinfolkError) -> ContactImport {
        try add(bytes.assumingMemoryBound(to: UInt8.self).span, format)
    }

    private mutating func add(_ text: Span<UInt8>, _ format: ContactFormat) throws(KinfolkError) -> ContactImport {
        try addAllOrNothing { book throws(KinfolkError) in
            var importer = ContactImporter(format)
            try importer.push(text, into: &book)
            return try importer.finish(into: &book)
        }
    }

    /// Runs an import. If it throws, the contacts that it added are removed.
    mutating func addAllOrNothing(
        _ body: (inout ContactBook) throws(KinfolkError) -> ContactImport
    ) throws(KinfolkError) -> ContactImport {
        let mark = mark
        do {
            return try body(&self)
        } catch {
            rewind(to: mark)
            throw error
        }
    }
}
