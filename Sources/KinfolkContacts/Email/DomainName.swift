import KinfolkModel

/// A domain in A-labels: lower-case ASCII. International labels are mapped by UTS #46 without its transitional mappings.
enum DomainName {
    /// The longest label (RFC 1035, section 2.3.4).
    static let maximumLabelByteCount = 63

    static func append(_ text: Span<UInt8>, to address: inout CanonicalEmail) throws(EmailFault) {
        guard text[0] != UInt8(ascii: "[") else { throw .addressLiteral }
        var labelCount = 0
        var isNumber = false
        var start = 0
        while true {
            let separator = nextSeparator(in: text, from: start)
            if labelCount > 0 { try address.append(UInt8(ascii: ".")) }
            isNumber = try append(label: text.extracting(start..<separator.lowerBound), to: &address)
            labelCount += 1
            guard !separator.isEmpty else { break }
            start = separator.upperBound
        }
        guard labelCount > 1 else { throw .unqualifiedDomain }
        // No top-level domain is a number (RFC 3696, section 2): this is an IP address without its brackets.
        guard !isNumber else { throw .addressLiteral }
    }

    /// The next dot, or one of the three characters that UTS #46 maps to a dot (U+3002, U+FF0E, U+FF61); empty at the end.
    private static func nextSeparator(in text: Span<UInt8>, from start: Int) -> Range<Int> {
        var index = start
        while index < text.count {
            let byte = text[index]
            if byte == UInt8(ascii: ".") { return index..<index + 1 }
            if byte >= 0xE3, isInternationalDot(text, index) { return index..<index + 3 }
            ReadingSteps.take(1)
            index += 1
        }
        return index..<index
    }

    private static func isInternationalDot(_ text: Span<UInt8>, _ index: Int) -> Bool {
        guard text.count - index >= 3 else { return false }
        return switch (text[index], text[index + 1], text[index + 2]) {
        case (0xE3, 0x80, 0x82), (0xEF, 0xBC, 0x8E), (0xEF, 0xBD, 0xA1): true
        default: false
        }
    }

    /// Appends one label and returns whether it is all digits.
    private static func append(label: Span<UInt8>, to address: inout CanonicalEmail) throws(EmailFault) -> Bool {
        guard !label.isASCII else { return try append(asciiLabel: label, to: &address) }
        guard let mapped = InternationalLabel.mapped(label) else { throw .malformedDomain }
        // Full-width letters were mapped to ASCII before.
        if mapped.allSatisfy({ $0 < 0x80 }) {
            let ascii = mapped.map { UInt8(truncatingIfNeeded: $0) }
            return try append(asciiLabel: ascii.span, to: &address)
        }
        guard let aLabel = InternationalLabel.aLabel(of: mapped) else { throw .malformedDomain }
        return try append(asciiLabel: aLabel.span, isChecked: true, to: &address)
    }

    /// Accepts letters, digits and inner hyphens (RFC 5321, section 4.1.2, `sub-domain`); refuses an A-label that does not encode
    /// a valid U-label.
    private static func append(
        asciiLabel label: Span<UInt8>,
        isChecked: Bool = false,
        to address: inout CanonicalEmail
    ) throws(EmailFault) -> Bool {
        let last = label.count - 1
        guard last >= 0, last < maximumLabelByteCount else { throw .malformedDomain }
        ReadingSteps.take(label.count)
        var lowered: [UInt8] = []
        lowered.reserveCapacity(label.count)
        var isNumber = true
        for index in label.indices {
            let byte = label[index]
            if !ASCII.isDigit(byte) {
                let isInnerHyphen = byte == UInt8(ascii: "-") && index > 0 && index < last
                guard isInnerHyphen || ASCII.isLetter(byte) else { throw .malformedDomain }
                isNumber = false
            }
            lowered.append(ASCII.lowercased(byte))
        }
        if !isChecked, lowered.starts(with: InternationalLabel.prefix) {
            ReadingSteps.take(ReadingSteps.international)
            guard InternationalLabel.isALabel(lowered) else { throw .malformedDomain }
        }
        // Appended only after the whole label is checked: an invalid label is reported as such, even if the address is also too
        // long.
        for byte in lowered { try address.append(byte) }
        return isNumber
    }
}
