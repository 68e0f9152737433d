/// Cuts text that arrives in pieces into lines, which end in LF, CRLF or CR.
///
/// A line within one piece is lent as it lies there. Of a line longer than ``maximumByteCount`` only the beginning is kept: an
/// embedded photo may be one line of megabytes.
struct LineReader {
    static let maximumByteCount = 1 << 16

    /// The number of the line lent last, from 1.
    private(set) var lineNumber = 0

    /// The beginning of a line whose end has not arrived.
    private var beginning: [UInt8] = []
    private var hasBegun = false
    private var endedInCarriageReturn = false

    /// Lends each line that ends in this piece, without its line end.
    mutating func push(
        _ text: Span<UInt8>,
        _ body: (_ line: Span<UInt8>, _ number: Int) throws(KinfolkError) -> Void
    ) throws(KinfolkError) {
        guard text.count > 0 else { return }
        var start = 0
        if endedInCarriageReturn {
            endedInCarriageReturn = false
            if text[0] == UInt8(ascii: "\n") { start = 1 }
        }
        var lineFeed = text.firstIndex(of: UInt8(ascii: "\n"), from: start)
        var carriageReturn = text.firstIndex(of: UInt8(ascii: "\r"), from: start)
        while start < text.count {
            let end = min(lineFeed, carriageReturn)
            guard end < text.count else {
                keep(text.extracting(start..<end))
                return
            }
            try finishLine(with: text.extracting(start..<end), body)
            start = end + 1
            if end == carriageReturn {
                if start == text.count {
                    endedInCarriageReturn = true
                } else if text[start] == UInt8(ascii: "\n") {
                    start += 1
                }
                carriageReturn = text.firstIndex(of: UInt8(ascii: "\r"), from: start)
            }
            if lineFeed < start { lineFeed = text.firstIndex(of: UInt8(ascii: "\n"), from: start) }
        }
    }

    /// Lends the last line, if it has no line end.
    mutating func finish(
        _ body: (_ line: Span<UInt8>, _ number: Int) throws(KinfolkError) -> Void
    ) throws(KinfolkError) {
        endedInCarriageReturn = false
        guard hasBegun else { return }
        let nothing: [UInt8] = []
        try finishLine(with: nothing.span, body)
    }

    private mutating func keep(_ part: Span<UInt8>) {
        hasBegun = true
        let room = max(0, Self.maximumByteCount - beginning.count)
        beginning.append(part.extracting(0..<min(room, part.count)))
    }

    private mutating func finishLine(
        with part: Span<UInt8>,
        _ body: (_ line: Span<UInt8>, _ number: Int) throws(KinfolkError) -> Void
    ) throws(KinfolkError) {
        lineNumber += 1
        guard hasBegun else {
            return try body(part.extracting(0..<min(Self.maximumByteCount, part.count)), lineNumber)
        }
        keep(part)
        hasBegun = false
        try body(beginning.span, lineNumber)
        beginning.removeAll(keepingCapacity: true)
    }
}
