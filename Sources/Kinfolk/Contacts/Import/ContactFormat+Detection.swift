extension ContactFormat {
    /// How much of a file is looked at to tell its format.
    static let sampleByteCount = 1 << 16

    /// How many rows may come before the header of a table.
    private static let maximumHeaderRow = 6

    /// The format of a file by its beginning, or nil if it is none of them. A file with nothing in it is an empty list.
    ///
    /// - Parameters:
    ///   - sample: The first bytes of the file.
    ///   - isAll: Whether that is the whole file.
    init?(detecting sample: Span<UInt8>, isAll: Bool) {
        var text: [UInt8] = []
        var decoder = TextDecoder()
        // Nothing is thrown by closures that do not.
        try? decoder.push(sample) { text.append($0) }
        if isAll { try? decoder.finish { text.append($0) } }

        let lines = LinesSeen(text.span, isAll: isAll)
        guard !lines.hasCard else {
            self = .vCard
            return
        }
        let rows = RowsSeen(text.span, isAll: isAll)
        if rows.hasHeader {
            self = .csv
        } else if lines.hasAddress || lines.isBlank {
            self = .list
        } else if rows.hasAddress {
            self = .csv
        } else {
            return nil
        }
    }

    private struct LinesSeen {
        var hasCard = false
        var hasAddress = false
        var isBlank = true

        init(_ text: Span<UInt8>, isAll: Bool) {
            var lines = LineReader()
            try? lines.push(text) { line, _, _ in look(at: line) }
            if isAll || isBlank { try? lines.finish { line, _, _ in look(at: line) } }
        }

        private mutating func look(at line: Span<UInt8>) {
            let content = line.extracting(line.trimmedASCIIRange)
            guard !content.isEmpty, !hasCard else { return }
            var nameEnd = 0
            if VCardProperty(of: content, nameEnd: &nameEnd) == .begin, let parts = VCardLine(content) {
                let value = content.extracting(parts.value)
                hasCard = value.extracting(value.trimmedASCIIRange).isASCII("vcard")
            }
            guard content[0] != UInt8(ascii: "#") else { return }
            isBlank = false
            guard !hasAddress else { return }
            hasAddress = ContactHash(hexDigits: content) != nil || (try? AddressText(content).hash(in: content)) != nil
        }
    }

    private struct RowsSeen {
        var hasHeader = false
        var hasAddress = false
        var count = 0

        init(_ text: Span<UInt8>, isAll: Bool) {
            var table = CSVReader()
            try? table.push(text) { look(at: $0) }
            if isAll { try? table.finish { look(at: $0) } }
        }

        private mutating func look(at row: CSVRow) {
            count += 1
            guard count <= maximumHeaderRow, !hasHeader, !hasAddress else { return }
            hasHeader = CSVColumns(header: row) != nil
            hasAddress = CSVColumns(headless: row) != nil
        }
    }
}
