package import KinfolkModel

/// The result of importing a file or text: how many contacts were added, and which entries could not be used and why.
public struct ContactImport: Sendable {
    /// The format that was detected or requested.
    public let format: ContactFormat

    /// How many contacts were added to the book: one for each address.
    public internal(set) var added = 0

    /// How many entries were read: cards, entries of LDIF, rows below the header, or lines that are not blank.
    public internal(set) var entries = 0

    /// How many cards, entries or rows have no e-mail address at all. This is not an error: many contacts have only phone
    /// numbers.
    public internal(set) var withoutEmail = 0

    /// How many entries or addresses could not be used. All others were added.
    public internal(set) var skippedCount = 0

    /// The first 1,000 skips, in the order of the text.
    public internal(set) var skipped: [Skip] = []

    /// One entry or address that was not used.
    public struct Skip: Sendable, Hashable {
        /// The line where it begins, counted from 1 as in a text editor.
        public let line: Int

        /// Why it was not used.
        public let reason: SkipReason
    }

    /// The maximum number of skips that are listed.
    public static let maximumListedSkips = 1000

    package init(format: ContactFormat) {
        self.format = format
    }

    package mutating func skip(_ reason: SkipReason, line: Int) {
        skippedCount += 1
        if skipped.count < Self.maximumListedSkips { skipped.append(Skip(line: line, reason: reason)) }
    }

    /// Adds a value to the book if it is one plain ASCII address and nothing else, the most common kind; otherwise returns false.
    mutating func addPlainAddress(_ text: Span<UInt8>, to book: inout ContactBook) throws(KinfolkError) -> Bool {
        guard let hash = ContactHash(plainEmail: text) else { return false }
        try add(hash, to: &book)
        return true
    }

    /// Adds the addresses of one value to the book, without the names written next to them.
    ///
    /// - Returns: The number of addresses found, added or skipped.
    mutating func addValue(_ text: Span<UInt8>, line: Int, to book: inout ContactBook) throws(KinfolkError) -> Int {
        if try addPlainAddress(text, to: &book) { return 1 }
        return try addAddresses(in: text, line: line, keepsNames: false, to: &book)
    }

    package mutating func add(_ hash: ContactHash, to book: inout ContactBook) throws(KinfolkError) {
        try book.append(hash)
        added += 1
    }

    /// Adds the addresses of one value to the book, with the names written next to them, or records why they cannot be used.
    ///
    /// - Parameter isCut: Whether the value was truncated: its last address may be incomplete and is skipped.
    /// - Returns: The number of addresses found, added or skipped.
    mutating func addAddresses(
        in text: Span<UInt8>,
        line: Int,
        keepsNames: Bool = true,
        isCut: Bool = false,
        to book: inout ContactBook
    ) throws(KinfolkError) -> Int {
        var count = 0
        var start = 0
        while let part = AddressText.nextPart(of: text, from: &start) {
            count += 1
            if isCut, start == text.count {
                skip(.valueTooLong, line: line)
                break
            }
            let address = AddressText(text, part)
            let hash: ContactHash
            do {
                hash = try address.hash(in: text)
            } catch {
                skip(.address(error), line: line)
                continue
            }
            try book.append(hash)
            added += 1
            if keepsNames { setLastLabel(text.extracting(address.name), in: &book) }
        }
        return count
    }

    private func setLastLabel(_ name: Span<UInt8>, in book: inout ContactBook) {
        if let label = LabelText.line(name) {
            book.setLastLabel(label.span)
        } else {
            book.setLastLabel(name)
        }
    }

    /// Adds the counts and skips of a reader that read a part of the text.
    package mutating func add(_ part: ContactImport) {
        added += part.added
        entries += part.entries
        withoutEmail += part.withoutEmail
        for skip in part.skipped { self.skip(skip.reason, line: skip.line) }
        skippedCount += part.skippedCount - part.skipped.count
    }
}
