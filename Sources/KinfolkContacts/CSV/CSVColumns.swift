/// What the columns of a table hold. The cells show which columns hold addresses; the header, or else the position in the row,
/// shows where the name is.
struct CSVColumns {
    /// What is known about a column so far.
    private struct Column {
        /// Whether the header says that the column holds addresses.
        var isNamed = false
        /// Whether the header says that the column holds names.
        var isName = false
        /// How many cells contained only addresses.
        var addresses = 0
        /// How many cells contained something else.
        var others = 0
    }

    private var columns: [Column] = []
    private var fullName: Int?
    private var givenName: Int?
    private var additionalName: Int?
    private var familyName: Int?
    private var substitutes: [Int] = []

    /// A table without headers.
    init() {}

    init(header: CSVRow) {
        var plainName: Int?
        columns = Array(repeating: Column(), count: header.count)
        for index in 0..<header.count {
            switch CSVHeaderWords.meaning(of: header[index]) {
            case .address?: columns[index].isNamed = true
            case .fullName?: fullName = fullName ?? index
            case .givenName?: givenName = givenName ?? index
            case .additionalName?: additionalName = additionalName ?? index
            case .familyName?: familyName = familyName ?? index
            case .plainName?: plainName = plainName ?? index
            case .substitute?: substitutes.append(index)
            case nil: break
            }
        }
        if givenName == nil, familyName != nil {
            givenName = plainName
        } else if familyName == nil, givenName != nil {
            familyName = plainName
        } else {
            fullName = fullName ?? plainName
        }
        for case let index? in [fullName, givenName, additionalName, familyName] + substitutes {
            columns[index].isName = true
        }
    }

    /// Whether the row is recognised as a header. A single column counts only if its word means addresses, because a line of text
    /// may also consist of one word.
    var isKnown: Bool { hasNamedAddresses || columns.count > 1 && (hasNames || !substitutes.isEmpty) }

    /// Whether the header or a cell has shown so far that there are addresses.
    var hasAddresses: Bool { hasNamedAddresses || columns.contains { $0.addresses > 0 } }

    private var hasNamedAddresses: Bool { columns.contains(where: \.isNamed) }

    /// Whether the header says where names are.
    var hasNames: Bool { fullName != nil || givenName != nil || familyName != nil }

    // MARK: Addresses

    /// The kind of a cell that is not empty.
    enum Content {
        case address
        /// An address that the row already contains: some programs write the address in place of a missing name.
        case repeated
        case other
    }

    /// The number of preceding addresses in a row that each address is compared with.
    static let comparedCount = 4

    /// Counts the kinds of the cells in a row. Called for the buffered rows before any contact is added.
    mutating func look(at row: CSVRow) {
        var addresses: [ContactHash] = []
        for index in 0..<row.count where !row.isEmpty(at: index) {
            guard let address = row.address(at: index) else {
                note(.other, at: index)
                continue
            }
            let isRepeated = address.isOnly && addresses.suffix(Self.comparedCount).contains(address.hash)
            note(isRepeated ? .repeated : .address, at: index)
            addresses.append(address.hash)
        }
    }

    mutating func note(_ content: Content, at index: Int) {
        while columns.count <= index { columns.append(Column()) }
        switch content {
        case .address: columns[index].addresses += 1
        case .repeated: break
        case .other: columns[index].others += 1
        }
    }

    /// Whether a column holds addresses, so that a cell that is not an address is reported as skipped.
    func holdsAddresses(_ index: Int) -> Bool {
        guard index < columns.count else { return false }
        return columns[index].isNamed || columns[index].addresses > columns[index].others && !columns[index].isName
    }

    /// Whether an invalid cell with an `@` was probably meant as an address: its column is not a name column and has at least as
    /// many addresses as other cells.
    func mayHoldAddresses(_ index: Int) -> Bool {
        guard index < columns.count else { return true }
        return columns[index].addresses >= columns[index].others && !columns[index].isName
    }

    // MARK: Names

    /// The name in a row: the full name, or else its parts, or else a substitute such as a nickname or a company. A name that is an
    /// address is empty.
    func label(of row: CSVRow) -> ContactLabel {
        guard hasNames else { return Self.label(of: row, [nameByPosition(in: row)]) }
        var label = Self.label(of: row, [fullName])
        if label.isEmpty { label = Self.label(of: row, [givenName, additionalName, familyName]) }
        for column in substitutes {
            // The header may have many more columns than the row has fields. Substitutes are in column order, so the rest is
            // missing too.
            guard label.isEmpty, column < row.count else { break }
            label = Self.label(of: row, [column])
        }
        return label
    }

    /// The number of fields, from the left, that are searched for a name if the header names no name column.
    private static let maximumNamePosition = 16

    /// The column of the name if the header does not say it: the first text in the row, or a later text that begins or ends with
    /// it, as “Ada Lovelace” does after “Ada” and “Lovelace”.
    private func nameByPosition(in row: CSVRow) -> Int? {
        var first: Int?
        for index in 0..<min(row.count, Self.maximumNamePosition) where row.isText(at: index) {
            guard let start = first else {
                first = index
                continue
            }
            if row.isPart(start, of: index) { return index }
        }
        return first
    }

    private static func label(of row: CSVRow, _ columns: [Int?]) -> ContactLabel {
        ContactLabel { label in
            for case let column? in columns {
                if !label.isEmpty, label.last != 0x20 { label.append(0x20) }
                append(row, column, to: &label)
            }
        }
    }

    private static func append(_ row: CSVRow, _ column: Int, to label: inout [UInt8]) {
        row.withField(at: column) { field in
            Windows1252.withRepaired(field) { LabelText.append($0, to: &label) }
        }
    }
}
