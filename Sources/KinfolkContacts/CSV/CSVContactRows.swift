import KinfolkModel

/// Creates contacts from the rows of a table.
///
/// Every cell that is an address becomes a contact, in any column, even if many rows without one come first. A cell that is not
/// an address is reported as skipped if its column is an address column: its header says so, or most of its cells are addresses.
/// The first rows are buffered until there are enough of them to decide that.
struct CSVContactRows {
    private(set) var report = ContactImport(format: .csv)
    private var sample: CSVSample? = CSVSample()
    private var columns = CSVColumns()
    private var isEmpty = true

    mutating func read(_ row: CSVRow, into book: inout ContactBook) throws(KinfolkError) {
        isEmpty = false
        guard sample != nil else { return try add(row, isNoted: false, to: &book) }
        sample?.append(row)
        if sample?.isFull == true { try begin(into: &book) }
    }

    mutating func finish(into book: inout ContactBook) throws(KinfolkError) {
        try begin(into: &book)
        guard isEmpty || columns.hasAddresses || report.added > 0 else {
            throw KinfolkError(.invalidArgument, "No column of the table holds e-mail addresses.")
        }
    }

    /// Determines the columns from the buffered rows, then adds the contacts of those rows.
    private mutating func begin(into book: inout ContactBook) throws(KinfolkError) {
        guard let sample else { return }
        self.sample = nil
        let header = sample.header()
        if let row = header.row { columns = CSVColumns(header: row) }
        for row in sample.rows.dropFirst(header.count) where row.fault == nil { columns.look(at: row) }
        for row in sample.rows.dropFirst(header.count) { try add(row, isNoted: true, to: &book) }
    }

    private mutating func add(_ row: CSVRow, isNoted: Bool, to book: inout ContactBook) throws(KinfolkError) {
        report.entries += 1
        if let fault = row.fault { return report.skip(fault, line: row.line) }

        let first = book.count
        var hasAddress = false
        for index in 0..<row.count where !row.isEmpty(at: index) {
            guard let content = try add(index, of: row, first, to: &book) else { continue }
            hasAddress = hasAddress || content != .other || columns.holdsAddresses(index)
            if !isNoted { columns.note(content, at: index) }
        }
        if !hasAddress { report.withoutEmail += 1 }
        if book.count > first { setLabel(of: row, for: first..<book.count, in: &book) }
    }

    /// Sets the name of a row as the label of its addresses. If no header names a name column, a name written next to the address
    /// in its cell takes precedence.
    private func setLabel(of row: CSVRow, for contacts: Range<Int>, in book: inout ContactBook) {
        let label = columns.label(of: row)
        guard !columns.hasNames else { return book.setLabel(label, for: contacts) }
        var number: ContactLabels.Number?
        for contact in contacts where !book.hasLabel(at: contact) {
            let stored = number ?? book.store(label)
            book.setLabel(stored, for: contact..<contact + 1)
            number = stored
        }
    }

    /// Adds the addresses of one cell and returns the kind of the cell; nil if it holds nothing but separators.
    private mutating func add(
        _ index: Int,
        of row: CSVRow,
        _ first: Int,
        to book: inout ContactBook
    ) throws(KinfolkError) -> CSVColumns.Content? {
        if let address = row.address(at: index) {
            if address.isOnly, isInRow(address.hash, first, book) { return .repeated }
            if address.isPlain {
                try report.add(address.hash, to: &book)
                return .address
            }
        } else if !columns.holdsAddresses(index) {
            guard columns.mayHoldAddresses(index), row.isLikeAddress(at: index) else { return .other }
        }
        return try row.withField(at: index) { (field) throws(KinfolkError) in
            try Windows1252.withRepaired(field) { (field) throws(KinfolkError) in
                try addAll(field, row.line, to: &book)
            }
        }
    }

    private mutating func addAll(
        _ field: Span<UInt8>,
        _ line: Int,
        to book: inout ContactBook
    ) throws(KinfolkError) -> CSVColumns.Content? {
        let skips = report.skippedCount
        guard try report.addAddresses(in: field, line: line, to: &book) > 0 else { return nil }
        return report.skippedCount == skips ? .address : .other
    }

    /// Whether one of the last addresses that this row added is the same.
    private func isInRow(_ hash: ContactHash, _ first: Int, _ book: ContactBook) -> Bool {
        (max(first, book.count - CSVColumns.comparedCount)..<book.count).contains { book.hash(at: $0) == hash }
    }
}
