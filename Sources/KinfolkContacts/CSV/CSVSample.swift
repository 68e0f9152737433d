/// The first rows of a table, buffered to find the header and the columns that hold addresses.
struct CSVSample {
    /// The sample is full at this many rows or bytes.
    private static let maximumCount = 100
    private static let maximumByteCount = 1 << 14

    /// Some exports have a few lines of explanation before the header.
    private static let maximumLinesBeforeHeader = 5

    private(set) var rows: [CSVRow] = []
    private var byteCount = 0

    var isFull: Bool { rows.count >= Self.maximumCount || byteCount >= Self.maximumByteCount }

    mutating func append(_ row: CSVRow) {
        rows.append(row)
        byteCount += row.byteCount
    }

    /// The header, and the number of rows before the first row of contacts.
    ///
    /// The header is the first row with a known word, if it comes before the first row with an address. Otherwise it is the first
    /// row with as many fields as the first row with an address, or as the widest row if there is no address: a table in an
    /// unknown language has a header too. A row that contains an `@` is not a header.
    func header() -> (row: CSVRow?, count: Int) {
        let beginning = rows.prefix(Self.maximumLinesBeforeHeader + 1)
        let end = beginning.firstIndex(where: \.hasAddress) ?? beginning.count
        if let index = beginning.prefix(end).firstIndex(where: { CSVColumns(header: $0).isKnown }) {
            return (beginning[index], index + 1)
        }
        let width = end < beginning.count ? beginning[end].count : rows.reduce(0) { max($0, $1.count) }
        guard let index = beginning.firstIndex(where: { $0.count == width }) else { return (nil, 0) }
        return beginning[index].hasAtSign ? (nil, index) : (beginning[index], index + 1)
    }
}

extension CSVSample {
    /// The result of reading the beginning of a text as a table.
    package enum Kind {
        /// A table whose header says that there are addresses.
        case header
        /// A table with a row of several fields, one of which is an address.
        case addresses
        /// A table of at least two columns. It has no address so far, but one may come later.
        case table
        /// Not a table.
        case other
    }

    /// Examines the beginning of a text to detect its format.
    ///
    /// - Parameters:
    ///   - text: The beginning, decoded.
    ///   - isAll: Whether that is the whole text.
    package static func kind(of text: Span<UInt8>, isAll: Bool) -> Kind {
        var sample = CSVSample()
        var table = CSVReader()
        // Only the closures could throw, and they do not.
        try? table.push(text) { if !sample.isFull { sample.append($0) } }
        if isAll { try? table.finish { if !sample.isFull { sample.append($0) } } }
        return sample.kind
    }

    private var kind: Kind {
        let header = header()
        if let row = header.row, CSVColumns(header: row).hasAddresses { return .header }
        if rows.contains(where: { $0.count > 1 && $0.hasAddress }) { return .addresses }
        return isRegular(rows.dropFirst(header.count)) ? .table : .other
    }

    /// Whether at least nine of ten rows have the same number of fields, and more than one field. False if there are no rows.
    private func isRegular(_ rows: some Collection<CSVRow>) -> Bool {
        var counts: [Int: Int] = [:]
        for row in rows { counts[row.count, default: 0] += 1 }
        return counts.contains { $0.key > 1 && 10 * $0.value >= 9 * rows.count }
    }
}
