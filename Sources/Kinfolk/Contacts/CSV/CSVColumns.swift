/// What the columns of a table hold: addresses, told by the cells themselves; and names, told by the header, or by where the
/// text stands.
struct CSVColumns {
    /// What has been seen of a column.
    private struct Column {
        /// Whether the header says that there are addresses.
        var isNamed = false
        /// Whether the header says that there are names.
        var isName = false
        /// How many cells held nothing but addresses.
        var addresses = 0
        /// How many cells held something else.
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

    /// Whether any column is known by its header. In a line of text, one word alone says nothing unless it means addresses.
    var isKnown: Bool { hasNamedAddresses || columns.count > 1 && (hasNames || !substitutes.isEmpty) }

    /// Whether a header or a cell said so far that there are addresses.
    var hasAddresses: Bool { hasNamedAddresses || columns.contains { $0.addresses > 0 } }

    private var hasNamedAddresses: Bool { columns.contains(where: \.isNamed) }

    /// Whether the header says where names are.
    var hasNames: Bool { fullName != nil || givenName != nil || familyName != nil }

    // MARK: Addresses

    /// What a cell that is not empty has turned out to be.
    enum Content {
        case address
        /// An address that stands in the row already, as programs write one in the place of a name.
        case repeated
        case other
    }

    /// How many addresses of a row are compared with the next one.
    static let comparedCount = 4

    /// Notes what the cells of a row are, before any row is read.
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

    /// Whether a column is one of addresses, so that a cell which is no address is a fault.
    func holdsAddresses(_ index: Int) -> Bool {
        guard index < columns.count else { return false }
        return columns[index].isNamed || columns[index].addresses > columns[index].others && !columns[index].isName
    }

    /// Whether a cell with an `@` in it that is no address was meant to be one: nothing but addresses was seen in its column,
    /// or as many of them as of anything else.
    func mayHoldAddresses(_ index: Int) -> Bool {
        guard index < columns.count else { return true }
        return columns[index].addresses >= columns[index].others && !columns[index].isName
    }

    // MARK: Names

    /// The name in a row: the full one, or else its parts, or else what stands for it.
    func label(of row: CSVRow) -> [UInt8] {
        guard hasNames else { return Self.label(of: row, [nameByPosition(in: row)]) }
        var label = Self.label(of: row, [fullName])
        if label.isEmpty { label = Self.label(of: row, [givenName, additionalName, familyName]) }
        for column in substitutes {
            // A header may name more columns than a row has fields, by any number.
            guard label.isEmpty, column < row.count else { break }
            label = Self.label(of: row, [column])
        }
        return label
    }

    /// How far to the right a name is looked for by position.
    private static let maximumNamePosition = 16

    /// Where the header does not tell: the first text in the row, or one soon after it that begins or ends with it, as
    /// “Ada Lovelace” does after “Ada” and “Lovelace”.
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

    private static func label(of row: CSVRow, _ columns: [Int?]) -> [UInt8] {
        var label: [UInt8] = []
        for case let column? in columns {
            if !label.isEmpty, label.last != 0x20 { label.append(0x20) }
            append(row, column, to: &label)
        }
        if label.last == 0x20 { label.removeLast() }
        return label
    }

    private static func append(_ row: CSVRow, _ column: Int, to label: inout [UInt8]) {
        row.withField(at: column) { field in
            if let repaired = Windows1252.repaired(field) {
                LabelText.append(repaired.span, to: &label)
            } else {
                LabelText.append(field, to: &label)
            }
        }
    }
}
