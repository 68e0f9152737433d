extension ContactBook {
    /// Adds addresses, `Name <address>` or contact hashes of 64 hexadecimal digits, one per line.
    ///
    /// A line may hold several addresses, separated by commas or semicolons. Blank lines and lines that begin with `#` are
    /// ignored. A line that cannot be used is skipped and reported.
    ///
    /// - Throws: `invalidArgument` if no line looks like an address or a hash; `limitExceeded` if the book is full. Nothing
    ///   has been added then.
    @discardableResult
    public mutating func addText(_ text: String) throws(KinfolkError) -> ContactImport {
        try add(text.utf8.span, AddressListReader())
    }

    /// Adds addresses or contact hashes, one per line: UTF-8, UTF-16 with a byte-order mark, or Windows-1252.
    @discardableResult
    public mutating func addText(_ bytes: [UInt8]) throws(KinfolkError) -> ContactImport {
        try add(bytes.span, AddressListReader())
    }

    /// Adds addresses or contact hashes, one per line: UTF-8, UTF-16 with a byte-order mark, or Windows-1252.
    @discardableResult
    public mutating func addText(_ bytes: UnsafeRawBufferPointer) throws(KinfolkError) -> ContactImport {
        try add(bytes, AddressListReader())
    }

    /// Adds the cards of a vCard file, version 2.1, 3.0 or 4.0: each of their addresses, labelled by `FN` or else `N`.
    ///
    /// A card that is broken is skipped and reported, and so is an address that cannot be used.
    ///
    /// - Throws: `invalidArgument` if there is no card in it; `limitExceeded` if the book is full. Nothing has been added then.
    @discardableResult
    public mutating func addVCard(_ text: String) throws(KinfolkError) -> ContactImport {
        try add(text.utf8.span, VCardReader())
    }

    /// Adds the cards of a vCard file: UTF-8, UTF-16, or the encoding that each `CHARSET` names.
    @discardableResult
    public mutating func addVCard(_ bytes: [UInt8]) throws(KinfolkError) -> ContactImport {
        try add(bytes.span, VCardReader())
    }

    /// Adds the cards of a vCard file: UTF-8, UTF-16, or the encoding that each `CHARSET` names.
    @discardableResult
    public mutating func addVCard(_ bytes: UnsafeRawBufferPointer) throws(KinfolkError) -> ContactImport {
        try add(bytes, VCardReader())
    }

    /// Adds the rows of a table (RFC 4180), as Google Contacts, Outlook and Thunderbird export it.
    ///
    /// Every cell that holds one or more addresses counts, in any column. Names are found by headers in many languages, or else
    /// by position. The separator, comma, semicolon or tab, is detected from the first row. A row that cannot be used is skipped
    /// and reported, and so is a cell in a column of addresses that is not an address.
    ///
    /// - Throws: `invalidArgument` if no column holds addresses; `limitExceeded` if the book is full. Nothing has been added
    ///   then.
    @discardableResult
    public mutating func addCSV(_ text: String) throws(KinfolkError) -> ContactImport {
        try add(text.utf8.span, CSVContactReader())
    }

    /// Adds the rows of a table: UTF-8, UTF-16 or Windows-1252.
    @discardableResult
    public mutating func addCSV(_ bytes: [UInt8]) throws(KinfolkError) -> ContactImport {
        try add(bytes.span, CSVContactReader())
    }

    /// Adds the rows of a table: UTF-8, UTF-16 or Windows-1252.
    @discardableResult
    public mutating func addCSV(_ bytes: UnsafeRawBufferPointer) throws(KinfolkError) -> ContactImport {
        try add(bytes, CSVContactReader())
    }

    /// Adds the entries of LDIF (RFC 2849), as Thunderbird and directory servers export it.
    ///
    /// Addresses come from `mail`, `mozillaSecondEmail`, `rfc822Mailbox` and similar attributes; the label comes from `cn`, or
    /// else `displayName`, or else `givenName` and `sn`. Values given as URLs are not fetched. An entry that only changes or
    /// deletes another entry is skipped and reported, and so is an address that cannot be used.
    ///
    /// - Throws: `invalidArgument` if there is no entry in it; `limitExceeded` if the book is full. Nothing has been added then.
    @discardableResult
    public mutating func addLDIF(_ text: String) throws(KinfolkError) -> ContactImport {
        try add(text.utf8.span, LDIFReader())
    }

    /// Adds the entries of LDIF: UTF-8, UTF-16 or Windows-1252.
    @discardableResult
    public mutating func addLDIF(_ bytes: [UInt8]) throws(KinfolkError) -> ContactImport {
        try add(bytes.span, LDIFReader())
    }

    /// Adds the entries of LDIF: UTF-8, UTF-16 or Windows-1252.
    @discardableResult
    public mutating func addLDIF(_ bytes: UnsafeRawBufferPointer) throws(KinfolkError) -> ContactImport {
        try add(bytes, LDIFReader())
    }

    /// Adds the cards of JSON (jCard, RFC 7095): each `email` of a card, labelled by `fn` or else `n`.
    ///
    /// The text is one card, an array of cards, or other JSON that contains cards. A card that is cut off is skipped and
    /// reported, and so is an address that cannot be used. Reading ends at the first invalid JSON, which is reported too.
    ///
    /// - Throws: `invalidArgument` if there is no card in it; `limitExceeded` if the book is full. Nothing has been added then.
    @discardableResult
    public mutating func addJCard(_ text: String) throws(KinfolkError) -> ContactImport {
        try add(text.utf8.span, JCardReader())
    }

    /// Adds the cards of JSON (jCard, RFC 7095): UTF-8 or UTF-16.
    @discardableResult
    public mutating func addJCard(_ bytes: [UInt8]) throws(KinfolkError) -> ContactImport {
        try add(bytes.span, JCardReader())
    }

    /// Adds the cards of JSON (jCard, RFC 7095): UTF-8 or UTF-16.
    @discardableResult
    public mutating func addJCard(_ bytes: UnsafeRawBufferPointer) throws(KinfolkError) -> ContactImport {
        try add(bytes, JCardReader())
    }

    private mutating func add(
        _ bytes: UnsafeRawBufferPointer,
        _ reader: some ContactReader
    ) throws(KinfolkError) -> ContactImport {
        let bytes = bytes.assumingMemoryBound(to: UInt8.self)
        return try add(bytes.span, reader)
    }

    private mutating func add(_ text: Span<UInt8>, _ reader: some ContactReader) throws(KinfolkError) -> ContactImport {
        try addAllOrNothing { book throws(KinfolkError) in
            var importer = ContactImporter(reader)
            try importer.push(text, into: &book)
            return try importer.finish(into: &book)
        }
    }

    /// Runs an import, and removes what it added if it throws.
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
