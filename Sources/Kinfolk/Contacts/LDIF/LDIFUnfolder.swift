/// Joins the folded lines of LDIF (RFC 2849, note 2), and skips comments and unused attributes without a copy.
struct LDIFUnfolder {
    /// The longest joined line that is kept. A longer one is truncated.
    static let maximumByteCount = 1 << 16

    private enum State {
        case passing
        case keeping(LDIFAttribute)
        /// There is no colon yet: the line may have been folded within the name.
        case waitingForName
    }

    private var state = State.passing
    private var line: [UInt8] = []
    private var firstLine = 0
    private var isCut = false

    /// Processes a line, and calls `body` with each joined line that is now complete: the one before, and also this one if
    /// `next`, the first byte of the next line, shows that no line is folded to it.
    mutating func push(
        _ line: Span<UInt8>,
        _ number: Int,
        _ next: UInt8?,
        _ body: (LDIFAttribute, Span<UInt8>, _ firstLine: Int, _ isCut: Bool) throws(KinfolkError) -> Void
    ) throws(KinfolkError) {
        if line.count > 0, Self.isFoldingSpace(line[0]) {
            if case .passing = state { return }
            return append(line.extracting(droppingFirst: 1))
        }
        try finish(body)
        guard line.count > 0 else { return try body(.separator, line, number, false) }
        guard line[0] != UInt8(ascii: "#") else { return }
        try begin(line, number, next, body)
    }

    mutating func finish(
        _ body: (LDIFAttribute, Span<UInt8>, _ firstLine: Int, _ isCut: Bool) throws(KinfolkError) -> Void
    ) throws(KinfolkError) {
        let state = state
        self.state = .passing
        switch state {
        case .passing:
            return
        case .keeping(let attribute):
            try body(attribute, line.span, firstLine, isCut)
        case .waitingForName:
            var nameEnd = 0
            guard let attribute = LDIFAttribute(of: line.span, nameEnd: &nameEnd), nameEnd < line.count else { return }
            try body(attribute, line.span, firstLine, isCut)
        }
    }

    private mutating func begin(
        _ line: Span<UInt8>,
        _ number: Int,
        _ next: UInt8?,
        _ body: (LDIFAttribute, Span<UInt8>, _ firstLine: Int, _ isCut: Bool) throws(KinfolkError) -> Void
    ) throws(KinfolkError) {
        var nameEnd = 0
        let attribute = LDIFAttribute(of: line, nameEnd: &nameEnd)
        if nameEnd < line.count, nameEnd < LDIFAttribute.maximumNameByteCount {
            guard let attribute else { return }
            if let next, !Self.isFoldingSpace(next) {
                return try body(attribute, line, number, line.count >= Self.maximumByteCount)
            }
            state = .keeping(attribute)
        } else if nameEnd < LDIFAttribute.maximumNameByteCount {
            state = .waitingForName
        } else {
            return
        }
        firstLine = number
        isCut = false
        self.line.removeAll(keepingCapacity: true)
        append(line)
    }

    private static func isFoldingSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private mutating func append(_ part: Span<UInt8>) {
        let room = max(0, Self.maximumByteCount - line.count)
        isCut = isCut || part.count >= room
        line.append(part.extracting(0..<min(room, part.count)))
    }
}
