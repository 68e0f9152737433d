/// The first rows of a table, kept until they tell where its header is and which columns hold addresses.
struct CSVSample {
    /// How many rows are looked at, and how many bytes of them.
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

    /// The header, and how many rows come before the first row of contacts.
    ///
    /// The header is the first row with a known word. Without one it is the first row that is as wide as the first with an
    /// address, or as any, because a table in an unknown language has a header too; but not if there is an `@` in it.
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
    /// What the beginning of a text is, when it is read as a table.
    enum Kind {
        /// A table whose header says that there are addresses.
        case header
        /// A table with a row of several fields, one of which is an address.
        case addresses
        /// A table of at least two columns, without an address so far: one may come later.
        case table
        /// No table.
        case other
    }

    /// Looks at the beginning of a text, to tell its format.
    ///
    /// - Parameters:
    ///   - text: The beginning, decoded.
    ///   - isAll: Whether that is the whole text.
    static func kind(of text: Span<UInt8>, isAll: Bool) -> Kind {
        var sample = CSVSample()
        var table = CSVReader()
        // Nothing is thrown by closures that do not.
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

    /// Whether there are rows, nine of ten with the same number of fields, which is more than one.
    private func isRegular(_ rows: some Collection<CSVRow>) -> Bool {
        var counts: [Int: Int] = [:]
        for row in rows { counts[row.count, default: 0] += 1 }
        return counts.contains { $0.key > 1 && 10 * $0.value >= 9 * rows.count }
    }
}
