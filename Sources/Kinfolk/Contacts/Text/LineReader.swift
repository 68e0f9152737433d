/// Cuts text that arrives in pieces into lines, which end in LF, CRLF or CR.
///
/// A byte-order mark at the beginning of a line is left out: files that begin with one are joined to others.
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

    /// Lends each line that ends in this piece, without its line end, and the first byte of the next one if that is there.
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
                // Nearly always a CRLF, of which the line feed is the one that was found.
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

    /// Lends the last line, if it has no line end.
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
