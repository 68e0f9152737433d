extension ContactBook {
    /// Adds addresses, `Name <address>` or contact hashes of 64 hexadecimal digits, one a line.
    ///
    /// Several addresses may stand on a line, with commas or semicolons between. Blank lines and lines that
    /// begin with `#` do not count. A line that cannot be used is skipped and reported.
    ///
    /// - Throws: `invalidArgument` if no line looks like an address or a hash; `limitExceeded` if the book is full. Nothing
    ///   has been added then.
    @discardableResult
    public mutating func addText(_ text: String) throws(KinfolkError) -> ContactImport {
        try add(text.utf8.span, AddressListReader())
    }

    /// Adds addresses or contact hashes, one a line: UTF-8, UTF-16 with a byte-order mark, or Windows-1252.
    @discardableResult
    public mutating func addText(_ bytes: [UInt8]) throws(KinfolkError) -> ContactImport {
        try add(bytes.span, AddressListReader())
    }

    /// Adds addresses or contact hashes, one a line: UTF-8, UTF-16 with a byte-order mark, or Windows-1252.
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

    /// Adds the cards of a vCard file: UTF-8, UTF-16, or what each `CHARSET` says.
    @discardableResult
    public mutating func addVCard(_ bytes: [UInt8]) throws(KinfolkError) -> ContactImport {
        try add(bytes.span, VCardReader())
    }

    /// Adds the cards of a vCard file: UTF-8, UTF-16, or what each `CHARSET` says.
    @discardableResult
    public mutating func addVCard(_ bytes: UnsafeRawBufferPointer) throws(KinfolkError) -> ContactImport {
        try add(bytes, VCardReader())
    }

    /// Adds the rows of a table (RFC 4180), as Google Contacts, Outlook and Thunderbird export it.
    ///
    /// Every cell that is an address counts, or that holds several, in any column. Names are found by the headers of many
    /// languages, or by position, and the separator, comma, semicolon or tab, by the first row. A row that cannot be used is
    /// skipped and reported, and so is a cell that is no address in a column of addresses.
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
    /// Addresses come from `mail`, `mozillaSecondEmail`, `rfc822Mailbox` and attributes like them; the label from `cn`, or else
    /// `displayName`, or else `givenName` and `sn`. Values behind URLs are not fetched. An entry that only changes or deletes
    /// another one is skipped and reported, and so is an address that cannot be used.
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

    /// Adds the cards of JSON (jCard, RFC 7095): each of their `email`, labelled by `fn` or else `n`.
    ///
    /// The text is one card, an array of cards, or JSON with cards in it. A card that is cut off is skipped and reported, and so
    /// is an address that cannot be used. Where the text stops being JSON, reading ends; this is reported too.
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

    /// Runs an import, and forgets what it added if it throws.
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
