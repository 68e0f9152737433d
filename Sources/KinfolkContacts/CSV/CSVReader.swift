package import KinfolkModel

/// Splits a table that arrives in pieces into rows (RFC 4180). The delimiter, comma, semicolon or tab, is detected from the first
/// row. Quoted fields may contain line breaks. Lines end in LF, CRLF or CR. Blank lines are skipped.
///
/// A row is valid only during the call, because the next row reuses its memory. A row longer than 256 KiB is truncated and has a
/// fault, so that a quotation mark that is never closed does not consume the rest of the file.
package struct CSVReader {
    /// The longest row, in bytes of its fields.
    package static let maximumRowByteCount = 1 << 18

    private enum State {
        case atFieldStart
        case inField
        case inQuotes
        /// After a quotation mark within quotes: the end of the field, or the first half of a doubled quotation mark.
        case afterQuote
        /// In the rest of a line whose row is too long; the rest is ignored.
        case passing
    }

    private var delimiter: UInt8?
    /// The text of the first row, until the delimiter has been detected.
    private var beginning: [UInt8] = []
    private var state = State.atFieldStart
    private var row = CSVRow()
    private var lineNumber = 1
    private var isAfterCarriageReturn = false
    private var isAtRowStart = true

    package init() {}

    /// Calls `body` with each row that ends in this piece of text, which is UTF-8 or another ASCII-compatible encoding.
    package mutating func push(
        _ text: Span<UInt8>,
        _ body: (CSVRow) throws(KinfolkError) -> Void
    ) throws(KinfolkError) {
        guard delimiter == nil else { return try read(text, body) }
        beginning.append(text)
        guard let found = CSVDelimiter.detect(beginning.span, isAll: false) else { return }
        try begin(with: found, body)
    }

    /// Calls `body` with the last row if no line break ends it.
    package mutating func finish(_ body: (CSVRow) throws(KinfolkError) -> Void) throws(KinfolkError) {
        if delimiter == nil, let found = CSVDelimiter.detect(beginning.span, isAll: true) {
            try begin(with: found, body)
        }
        guard !isAtRowStart else { return }
        if state == .inQuotes { row.fault = .unclosedQuote }
        try endRow(body)
    }

    private mutating func begin(
        with delimiter: UInt8,
        _ body: (CSVRow) throws(KinfolkError) -> Void
    ) throws(KinfolkError) {
        self.delimiter = delimiter
        let text = beginning
        beginning = []
        try read(text.span, body)
    }

    private mutating func read(
        _ text: Span<UInt8>,
        _ body: (CSVRow) throws(KinfolkError) -> Void
    ) throws(KinfolkError) {
        var index = 0
        while index < text.count {
            let byte = text[index]
            if isAfterCarriageReturn {
                isAfterCarriageReturn = false
                // The line feed of a CRLF; within quotes both belong to the field.
                if byte == UInt8(ascii: "\n"), state != .inQuotes {
                    index += 1
                    continue
                }
                if byte == UInt8(ascii: "\n") { lineNumber -= 1 }
            }
            let end = endOfRun(in: text, from: index)
            if end > index {
                isAtRowStart = false
                take(text.extracting(index..<end))
                if state == .atFieldStart || state == .afterQuote { state = .inField }
                index = end
            } else {
                try readMark(byte, text.extracting(index..<index + 1), body)
                index += 1
            }
        }
    }

    /// The end of the run of bytes that have no special meaning in the current state.
    private func endOfRun(in text: Span<UInt8>, from start: Int) -> Int {
        var index = start
        defer { ReadingSteps.take(index - start + 1) }
        while index < text.count {
            let byte = text[index]
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { break }
            switch state {
            case .passing: break
            case .inQuotes: if byte == UInt8(ascii: "\"") { return index }
            case .inField: if byte == delimiter { return index }
            case .atFieldStart, .afterQuote:
                if byte == delimiter || index == start && byte == UInt8(ascii: "\"") { return index }
            }
            index += 1
        }
        return index
    }

    private mutating func readMark(
        _ byte: UInt8,
        _ mark: Span<UInt8>,
        _ body: (CSVRow) throws(KinfolkError) -> Void
    ) throws(KinfolkError) {
        let isLineBreak = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
        if isLineBreak { lineNumber += 1 }
        isAfterCarriageReturn = byte == UInt8(ascii: "\r")
        switch state {
        case .inQuotes where isLineBreak:
            take(mark)
        case .inQuotes:
            state = .afterQuote
        case _ where isLineBreak:
            try endRow(body)
        case .afterQuote where byte == UInt8(ascii: "\""):
            take(mark)
            state = .inQuotes
        case .atFieldStart where byte == UInt8(ascii: "\""):
            isAtRowStart = false
            state = .inQuotes
        default:
            isAtRowStart = false
            row.endField()
            state = .atFieldStart
            if row.byteCount > Self.maximumRowByteCount { passRest(.rowTooLong) }
        }
    }

    private mutating func take(_ part: Span<UInt8>) {
        guard state != .passing else { return }
        guard row.byteCount + part.count <= Self.maximumRowByteCount else {
            return passRest(state == .inQuotes ? .unclosedQuote : .rowTooLong)
        }
        row.append(part)
    }

    private mutating func passRest(_ fault: SkipReason) {
        row.fault = fault
        state = .passing
    }

    private mutating func endRow(_ body: (CSVRow) throws(KinfolkError) -> Void) throws(KinfolkError) {
        row.endField()
        state = .atFieldStart
        isAtRowStart = true
        if !row.isBlank { try body(row) }
        row.clear(line: lineNumber)
    }
}
