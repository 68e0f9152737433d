import KinfolkModel

/// Joins the lines of a vCard that were folded (RFC 6350, section 3.2), or split by soft line breaks of quoted-printable.
///
/// Unused properties are skipped without a copy, however long they are.
struct VCardUnfolder {
    /// vCard 2.1 folds before existing white space, which belongs to the value. Later versions fold anywhere and insert white
    /// space.
    var keepsFoldingSpace = false

    private enum State: Equatable {
        case passing
        case keeping(VCardProperty)
        /// The line is so short that it may have been folded within the name.
        case waitingForName
    }

    private var state = State.passing
    private var property = UnfoldedLine()
    private var softBreaks = VCardSoftBreaks()
    private var isQuotedPrintable = false
    private var endsInSoftBreak = false

    /// Processes a line, and calls `body` with each property that is now complete: the one before, and also this one if `next`,
    /// the first byte of the next line, shows that no line is folded to it.
    mutating func push(
        _ line: Span<UInt8>,
        _ number: Int,
        _ next: UInt8?,
        _ body: (VCardProperty, Span<UInt8>, _ firstLine: Int, _ isCut: Bool) throws(KinfolkError) -> Void
    ) throws(KinfolkError) {
        if endsInSoftBreak, !Self.isFence(line) {
            append(line)
        } else if line.count > 0, UnfoldedLine.isFoldingSpace(line[0]) {
            guard state != .passing || isQuotedPrintable else { return }
            append(keepsSpace ? line : line.extracting(droppingFirst: 1))
        } else {
            try finish(body)
            try begin(line, number, next, body)
        }
    }

    mutating func finish(
        _ body: (VCardProperty, Span<UInt8>, _ firstLine: Int, _ isCut: Bool) throws(KinfolkError) -> Void
    ) throws(KinfolkError) {
        let state = state
        self.state = .passing
        isQuotedPrintable = false
        endsInSoftBreak = false
        switch state {
        case .passing:
            return
        case .keeping(let kind):
            try body(kind, property.bytes.span, property.number, property.isCut)
        case .waitingForName:
            var nameEnd = 0
            guard let kind = VCardProperty(of: property.bytes.span, nameEnd: &nameEnd) else { return }
            try body(kind, property.bytes.span, property.number, property.isCut)
        }
    }

    private var keepsSpace: Bool {
        keepsFoldingSpace && (state == .keeping(.formattedName) || state == .keeping(.name))
    }

    private mutating func begin(
        _ line: Span<UInt8>,
        _ number: Int,
        _ next: UInt8?,
        _ body: (VCardProperty, Span<UInt8>, _ firstLine: Int, _ isCut: Bool) throws(KinfolkError) -> Void
    ) throws(KinfolkError) {
        var nameEnd = 0
        if let kind = VCardProperty(of: line, nameEnd: &nameEnd), nameEnd < line.count {
            if let next, !UnfoldedLine.isFoldingSpace(next), line[line.count - 1] != UInt8(ascii: "=") {
                return try body(kind, line, number, line.count >= UnfoldedLine.maximumByteCount)
            }
            state = .keeping(kind)
        } else if nameEnd == line.count, nameEnd > 0 {
            state = .waitingForName
        } else {
            return noteSoftBreak(at: line)
        }
        softBreaks = VCardSoftBreaks()
        property.begin(at: number)
        append(line)
    }

    private mutating func append(_ line: Span<UInt8>) {
        if state != .passing { property.append(line) }
        noteSoftBreak(at: line)
        if endsInSoftBreak, state != .passing, !property.isCut { property.removeLastByte() }
    }

    /// Records whether the line ends in a soft line break. The property is examined only if the line ends in `=`, and then only
    /// its new bytes.
    private mutating func noteSoftBreak(at line: Span<UInt8>) {
        endsInSoftBreak = false
        guard line.count > 0, line[line.count - 1] == UInt8(ascii: "=") else { return }
        if !isQuotedPrintable {
            if state == .passing {
                isQuotedPrintable = Self.isQuotedPrintable(line)
            } else {
                // Copied because the call reads another part of `self`.
                var breaks = softBreaks
                isQuotedPrintable = breaks.isQuotedPrintable(property.bytes.span)
                softBreaks = breaks
            }
        }
        endsInSoftBreak = isQuotedPrintable
    }

    private static func isQuotedPrintable(_ property: Span<UInt8>) -> Bool {
        guard let parts = VCardLine(property) else { return false }
        return VCardEncoding(parameters: parts.parameters, of: property).isQuotedPrintable
    }

    /// Whether a card begins or ends here. This takes precedence over a soft line break at the end of the line before.
    private static func isFence(_ line: Span<UInt8>) -> Bool {
        let content = line.extracting(line.trimmedASCIIRange)
        return content.isASCII("end:vcard") || content.isASCII("begin:vcard")
    }
}
