import CIDN

/// A domain in A-labels: lower-case ASCII, international labels by UTS #46 without its transitional mappings.
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

    /// The next dot, or one of the three that UTS #46 maps to it (U+3002, U+FF0E, U+FF61); empty at the end.
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

    /// Appends one label and tells whether it is all digits.
    private static func append(label: Span<UInt8>, to address: inout CanonicalEmail) throws(EmailFault) -> Bool {
        guard label.isASCII, !hasPrefixOfALabel(label) else {
            return try append(internationalLabel: label, to: &address)
        }
        return try append(asciiLabel: label, to: &address)
    }

    /// Letters, digits and inner hyphens (RFC 5321, section 4.1.2, `sub-domain`).
    private static func append(asciiLabel label: Span<UInt8>, to address: inout CanonicalEmail) throws(EmailFault)
        -> Bool
    {
        let last = label.count - 1
        guard last >= 0, last < maximumLabelByteCount else { throw .malformedDomain }
        var isNumber = true
        for index in label.indices {
            let byte = label[index]
            if !ASCII.isDigit(byte) {
                let isInnerHyphen = byte == UInt8(ascii: "-") && index > 0 && index < last
                guard isInnerHyphen || ASCII.isLetter(byte) else { throw .malformedDomain }
                isNumber = false
            }
            try address.append(ASCII.lowercased(byte))
        }
        return isNumber
    }

    private static func hasPrefixOfALabel(_ label: Span<UInt8>) -> Bool {
        label.count >= 4 && label[2] == UInt8(ascii: "-") && label[3] == UInt8(ascii: "-")
            && ASCII.lowercased(label[0]) == UInt8(ascii: "x") && ASCII.lowercased(label[1]) == UInt8(ascii: "n")
    }

    /// Maps and encodes a label of other letters, and checks one that is encoded already.
    private static func append(
        internationalLabel label: Span<UInt8>,
        to address: inout CanonicalEmail
    ) throws(EmailFault) -> Bool {
        ReadingSteps.take(ReadingSteps.international + label.count)
        var result: UnsafeMutablePointer<UInt8>?
        let status = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: label.count + 1) { text -> Int32 in
            var length = 0
            for index in label.indices {
                // Control characters are in no domain, and NUL would end the text early.
                guard label[index] > 0x20 else { return Int32(IDN2_DISALLOWED.rawValue) }
                text[length] = label[index]
                length += 1
                if length >= 3, text[length - 3] == 0xE1, text[length - 2] == 0xBA, text[length - 1] == 0x9E {
                    // Capital sharp s is mapped to ß since Unicode 15.1, and to ss before: the same with any libidn2.
                    text[length - 3] = 0xC3
                    text[length - 2] = 0x9F
                    length -= 1
                }
            }
            text[length] = 0
            return idn2_lookup_u8(text.baseAddress, &result, Int32(IDN2_NONTRANSITIONAL.rawValue))
        }
        guard status == IDN2_OK.rawValue, let result else { throw .malformedDomain }
        defer { idn2_free(result) }
        let encoded = UnsafeBufferPointer(start: result, count: u8_strlen(result))
        return try append(asciiLabel: encoded.span, to: &address)
    }
}
