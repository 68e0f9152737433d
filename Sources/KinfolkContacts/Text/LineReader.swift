import KinfolkModel

/// Splits text that arrives in pieces into lines, which end in LF, CRLF or CR.
///
/// A byte-order mark at the beginning of any line is removed, because people join files that begin with one.
///
/// A line that lies within one piece is passed on without a copy. A line longer than ``maximumByteCount`` is truncated: an
/// embedded photo may be a line of several megabytes.
struct LineReader {
    static let maximumByteCount = 1 << 16

    /// The number of the last line that was passed on, from 1.
    private(set) var lineNumber = 0

    /// The beginning of a line whose end has not arrived.
    private var beginning: [UInt8] = []
    private var hasBegun = false
    private var endedInCarriageReturn = false

    /// Calls `body` with each line that ends in this piece, without its line end, and with the first byte of the next line if it
    /// has arrived.
    mutating func push(
        _ text: Span<UInt8>,
        _ body: (_ line: Span<UInt8>, _ number: Int, _ next: UInt8?) throws(KinfolkError) -> Void
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
            guard end < text.count else { return keep(text.extracting(start..<end)) }
            var nextStart = end + 1
            if end == carriageReturn {
                endedInCarriageReturn = nextStart == text.count
                // This is nearly always a CRLF, and `lineFeed` is the index of its line feed.
                if lineFeed == nextStart { nextStart += 1 }
                carriageReturn = text.firstIndex(of: UInt8(ascii: "\r"), from: nextStart)
            }
            if lineFeed < nextStart { lineFeed = text.firstIndex(of: UInt8(ascii: "\n"), from: nextStart) }
            let line = text.extracting(start..<end)
            let next = nextStart < text.count ? text[nextStart] : nil
            if hasBegun || end - start > Self.maximumByteCount {
                try finishLine(with: line, next, body)
            } else {
                lineNumber += 1
                try body(line.extracting(droppingFirst: line.byteOrderMarkByteCount), lineNumber, next)
            }
            start = nextStart
        }
    }

    /// Calls `body` with the last line if it has no line end.
    mutating func finish(
        _ body: (_ line: Span<UInt8>, _ number: Int, _ next: UInt8?) throws(KinfolkError) -> Void
    ) throws(KinfolkError) {
        endedInCarriageReturn = false
        guard hasBegun else { return }
        let nothing: [UInt8] = []
        try finishLine(with: nothing.span, nil, body)
    }

    private mutating func keep(_ part: Span<UInt8>) {
        hasBegun = true
        let room = max(0, Self.maximumByteCount - beginning.count)
        beginning.append(part.extracting(0..<min(room, part.count)))
    }

    private mutating func finishLine(
        with part: Span<UInt8>,
        _ next: UInt8?,
        _ body: (_ line: Span<UInt8>, _ number: Int, _ next: UInt8?) throws(KinfolkError) -> Void
    ) throws(KinfolkError) {
        lineNumber += 1
        keep(part)
        hasBegun = false
        try body(beginning.span.extracting(droppingFirst: beginning.span.byteOrderMarkByteCount), lineNumber, next)
        beginning.removeAll(keepingCapacity: true)
    }
}
