import KinfolkModel

/// Joins the folded lines of LDIF (RFC 2849, note 2), and skips comments and unused attributes without a copy.
struct LDIFUnfolder {
    private enum State {
        case passing
        case keeping(LDIFAttribute)
        /// There is no colon yet: the line may have been folded within the name.
        case waitingForName
    }

    private var state = State.passing
    private var line = UnfoldedLine()

    /// Processes a line, and calls `body` with each joined line that is now complete: the one before, and also this one if
    /// `next`, the first byte of the next line, shows that no line is folded to it.
    mutating func push(
        _ line: Span<UInt8>,
        _ number: Int,
        _ next: UInt8?,
        _ body: (LDIFAttribute, Span<UInt8>, _ firstLine: Int, _ isCut: Bool) throws(KinfolkError) -> Void
    ) throws(KinfolkError) {
        if line.count > 0, UnfoldedLine.isFoldingSpace(line[0]) {
            if case .passing = state { return }
            return self.line.append(line.extracting(droppingFirst: 1))
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
            try body(attribute, line.bytes.span, line.number, line.isCut)
        case .waitingForName:
            var nameEnd = 0
            let attribute = LDIFAttribute(of: line.bytes.span, nameEnd: &nameEnd)
            guard let attribute, nameEnd < line.bytes.count else { return }
            try body(attribute, line.bytes.span, line.number, line.isCut)
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
            if let next, !UnfoldedLine.isFoldingSpace(next) {
                return try body(attribute, line, number, line.count >= UnfoldedLine.maximumByteCount)
            }
            state = .keeping(attribute)
        } else if nameEnd < LDIFAttribute.maximumNameByteCount {
            state = .waitingForName
        } else {
            return
        }
        self.line.begin(at: number)
        self.line.append(line)
    }
}
