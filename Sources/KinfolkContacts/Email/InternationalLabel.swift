import CUnistring
import Glibc
import KinfolkModel

/// A domain label with non-ASCII characters, by IDNA2008 (RFC 5891) after the mapping of UTS #46 without transitional processing.
enum InternationalLabel {
    /// A label after the mapping of UTS #46: a U-label, or ASCII if all its characters map to ASCII. Nil if it cannot be mapped.
    static func mapped(_ text: Span<UInt8>) -> [UInt32]? {
        guard let utf8 = try? UTF8Span(validating: text) else { return nil }
        var label: [UInt32] = []
        label.reserveCapacity(text.count)
        var scalars = utf8.makeUnicodeScalarIterator()
        var isPlain = true
        while let scalar = scalars.next() {
            let codePoint = scalar.value
            ReadingSteps.take(1)
            if codePoint < 0x80 {
                label.append(UInt32(ASCII.lowercased(UInt8(codePoint))))
            } else if PlainLetters.contains(codePoint) {
                label.append(codePoint)
            } else {
                isPlain = false
                guard append(mappingOf: codePoint, to: &label) else { return nil }
            }
        }
        return isPlain ? label : try? UsernameCaseMapped.normalized(label)
    }

    /// The A-label of a U-label; nil if the label is not a valid U-label.
    static func aLabel(of label: [UInt32]) -> [UInt8]? {
        guard isValid(label) else { return nil }
        let encoded = prefix + Punycode.encoded(label)
        return encoded.count <= DomainName.maximumLabelByteCount ? encoded : nil
    }

    /// Whether lower-case ASCII that begins with `xn--` is the A-label of a U-label.
    static func isALabel(_ label: [UInt8]) -> Bool {
        guard label.count <= DomainName.maximumLabelByteCount,
            let decoded = Punycode.decoded(label.span.extracting(droppingFirst: prefix.count))
        else { return false }
        return aLabel(of: decoded) == label
    }

    /// The prefix of an A-label.
    static let prefix = Array("xn--".utf8)

    // MARK: The mapping

    /// Appends the UTS #46 mapping of a non-ASCII code point: NFKC_Casefold, with few exceptions.
    private static func append(mappingOf codePoint: UInt32, to label: inout [UInt32]) -> Bool {
        switch codePoint {
        case 0xDF, 0x3C2, 0x200C, 0x200D: label.append(codePoint)  // the deviations
        case 0x1E9E: label.append(0xDF)
        case 0xAD, 0x34F, 0x180B...0x180D, 0x180F, 0x200B, 0x2060, 0x2064, 0xFE00...0xFE0F, 0xFEFF, 0x1BCA0...0x1BCA3,
            0xE0100...0xE01EF:
            break  // ignored
        default:
            guard let once = caseFolded([codePoint]), let twice = caseFolded(once) else { return false }
            label += twice
        }
        return true
    }

    /// NFKC(casefold(NFKC(text))).
    private static func caseFolded(_ text: [UInt32]) -> [UInt32]? {
        // Enough for every code point: the longest result is 18 (U+FDFA).
        let capacity = 32
        ReadingSteps.take(capacity / 4)
        var isWritten = false
        let result = [UInt32](unsafeUninitializedCapacity: capacity) { output, count in
            text.withUnsafeBufferPointer { input in
                guard let start = input.baseAddress, let room = output.baseAddress else { return }
                var length = capacity
                let written = u32_casefold(start, input.count, nil, cunistring_nfkc(), room, &length)
                isWritten = written == room && length <= capacity
                if isWritten { count = length }
                // The result did not fit, so libunistring allocated memory for it.
                if let written, written != room { free(written) }
            }
        }
        return isWritten ? result : nil
    }

    // MARK: The checks (RFC 5891, sections 4.2 and 5.4)

    private static func isValid(_ label: [UInt32]) -> Bool {
        guard label.count <= DomainName.maximumLabelByteCount, let first = label.first, let last = label.last,
            label.contains(where: { $0 >= 0x80 })
        else { return false }
        let hyphen = UInt32(UInt8(ascii: "-"))
        if first == hyphen || last == hyphen { return false }
        if label.count >= 4, label[2] == hyphen, label[3] == hyphen { return false }
        guard (try? UsernameCaseMapped.normalized(label)) == label else { return false }
        return !isMark(first) && BidiRule.isSatisfied(by: label) && label.allSatisfy(isInLabelClass)
            && IdentifierClass.contains(label)
    }

    private static func isMark(_ codePoint: UInt32) -> Bool {
        codePoint >= 0x80
            && uc_general_category(codePoint).bitmask
                & UInt32(UC_CATEGORY_MASK_Mn | UC_CATEGORY_MASK_Mc | UC_CATEGORY_MASK_Me) != 0
    }

    /// Whether RFC 5892 allows a code point, beyond the checks of PRECIS. It refuses ASCII other than lower-case letters, digits
    /// and hyphens; the marks of IgnorableBlocks (section 2.4); and code points that case folding changes (Unstable, section
    /// 2.2).
    private static func isInLabelClass(_ codePoint: UInt32) -> Bool {
        switch codePoint {
        case 0..<0x80:
            let byte = UInt8(truncatingIfNeeded: codePoint)
            return ASCII.isDigit(byte) || byte == UInt8(ascii: "-") || ASCII.isLetter(byte) && byte >= 0x61
        case 0xDF, 0x3C2: return true
        case 0x20D0...0x20FF, 0x1D100...0x1D1FF, 0x1D200...0x1D24F: return false
        default: return PlainLetters.contains(codePoint) || caseFolded([codePoint]) == [codePoint]
        }
    }
}
