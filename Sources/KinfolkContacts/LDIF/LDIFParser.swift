import KinfolkModel

/// Creates contacts from the attributes of LDIF entries.
struct LDIFParser {
    private(set) var report = ContactImport(format: .ldif)
    private var entry: LDIFEntry?

    /// Processes the next line. A line that is too long is truncated, and `isCut` is true.
    mutating func read(
        _ attribute: LDIFAttribute,
        _ line: Span<UInt8>,
        _ number: Int,
        isCut: Bool,
        into book: inout ContactBook
    ) throws(KinfolkError) {
        switch attribute {
        case .separator:
            endEntry(&book)
        case .version:
            return
        case .distinguishedName:
            endEntry(&book)
            begin(number, book)
        case .changeType:
            readChangeType(line, &book)
        case .address, .proxyAddress:
            // Some programs write entries without a `dn`.
            if entry == nil { begin(number, book) }
            guard entry?.isChange == false else { return }
            try readAddress(attribute, line, number, isCut: isCut, into: &book)
        case .commonName, .displayName, .givenName, .surname:
            if entry == nil { begin(number, book) }
            _ = LDIFValue(of: line).withText(of: line) { entry?.take($0, as: attribute) }
        }
    }

    mutating func finish(_ book: inout ContactBook) {
        endEntry(&book)
    }

    private mutating func begin(_ number: Int, _ book: ContactBook) {
        entry = LDIFEntry(line: number, book: book, report: report)
        report.entries += 1
    }

    private mutating func endEntry(_ book: inout ContactBook) {
        guard let entry = entry.take() else { return }
        guard !entry.isChange else { return report.skip(.changeRecord, line: entry.line) }
        if !entry.hasAddress { report.withoutEmail += 1 }
        book.setLabel(entry.label, for: entry.firstContact..<book.count)
    }

    /// Treats a change record that adds an entry like that entry. Other change records contain no contact.
    private mutating func readChangeType(_ line: Span<UInt8>, _ book: inout ContactBook) {
        let isAddition = LDIFValue(of: line).withText(of: line) { $0.isASCII("add") }
        guard isAddition != true, let entry else { return }
        book.rewind(to: entry.mark)
        report = entry.report
        report.entries += 1
        self.entry?.isChange = true
    }

    private mutating func readAddress(
        _ attribute: LDIFAttribute,
        _ line: Span<UInt8>,
        _ number: Int,
        isCut: Bool,
        into book: inout ContactBook
    ) throws(KinfolkError) {
        guard !isCut else { return skip(.valueTooLong, number) }
        let value = LDIFValue(of: line)
        switch value {
        case .link: return skip(.linkedValue, number)
        case .invalidBase64: return skip(.invalidBase64, number)
        case .plain, .decoded: break
        }
        let count = try value.withText(of: line) { (text) throws(KinfolkError) in
            guard attribute == .proxyAddress else { return try report.addValue(text, line: number, to: &book) }
            guard text.hasASCIIPrefix("smtp:") else { return 0 }
            let address = text.extracting(droppingFirst: "smtp:".utf8.count)
            return try report.addValue(address, line: number, to: &book)
        }
        if let count, count > 0 { entry?.hasAddress = true }
    }

    private mutating func skip(_ reason: SkipReason, _ number: Int) {
        report.skip(reason, line: number)
        entry?.hasAddress = true
    }
}
