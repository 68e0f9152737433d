import KinfolkModel

/// A label without the e-mail addresses in it: `Ada <ada@example.com> (work)` becomes `Ada (work)`.
///
/// An address is a run of characters with an at sign between two of them: `@`, the full-width `＠` or small `﹫`, or `%40` as in
/// links. White space, commas, semicolons and angle brackets end a run. This matches more than valid addresses:
/// `@ada@social.example` is removed too. `Ada @ Work`, `@ada` and `(@ada)` are kept.
package struct AddressFreeText {
    /// The remaining text, on one line and with single spaces; empty if no word is left.
    package private(set) var bytes: [UInt8] = []

    /// Removes the addresses from a text. Nil if the text contains no address.
    package init?(_ text: Span<UInt8>) {
        guard let first = Self.firstSign(in: text, from: 0), Self.hasAddress(text, from: first) else { return nil }
        ReadingSteps.take(3 * text.count)
        bytes.reserveCapacity(text.count)
        var start = 0
        while start < text.count {
            let end = Self.runEnd(in: text, from: start)
            if end > start {
                let run = text.extracting(start..<end)
                if Self.isAddress(run) { appendFrame(of: run) } else { append(run) }
                start = end
            } else {
                let space = Self.spaceWidth(text, start)
                append(space > 0 ? 0x20 : text[start])
                start += max(1, space)
            }
        }
        trim()
    }

    // MARK: - Finding

    private static func hasAddress(_ text: Span<UInt8>, from first: Int) -> Bool {
        var sign = first
        while true {
            if isBetweenCharacters(text, sign) { return true }
            guard let next = firstSign(in: text, from: sign + 1) else { return false }
            sign = next
        }
    }

    private static func isAddress(_ run: Span<UInt8>) -> Bool {
        guard let sign = firstSign(in: run, from: 0) else { return false }
        return hasAddress(run, from: sign)
    }

    private static func firstSign(in text: Span<UInt8>, from start: Int) -> Int? {
        var index = start
        defer { ReadingSteps.take(index - start) }
        while index < text.count {
            if signWidth(text, index) > 0 { return index }
            index += 1
        }
        return nil
    }

    /// The length of the at sign at an index, or 0.
    private static func signWidth(_ text: Span<UInt8>, _ index: Int) -> Int {
        switch text[index] {
        case UInt8(ascii: "@"): return 1
        case 0xEF where text.count - index > 2:
            let isFullWidth = text[index + 1] == 0xBC && text[index + 2] == 0xA0
            return isFullWidth || text[index + 1] == 0xB9 && text[index + 2] == 0xAB ? 3 : 0
        case UInt8(ascii: "%") where text.count - index > 2:
            return text[index + 1] == UInt8(ascii: "4") && text[index + 2] == UInt8(ascii: "0") ? 3 : 0
        default: return 0
        }
    }

    /// Whether the characters on both sides of the at sign can be parts of an address.
    private static func isBetweenCharacters(_ text: Span<UInt8>, _ sign: Int) -> Bool {
        let after = sign + signWidth(text, sign)
        guard sign > 0, after < text.count else { return false }
        return !isOpening(text[sign - 1]) && !isClosing(text[after]) && !endsInSpace(text, sign)
            && !endsRun(text, sign - 1) && !endsRun(text, after)
    }

    /// `{` is not included, because an address may have one before the at sign.
    private static func isOpening(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "(") || byte == UInt8(ascii: "[") }

    private static func isClosing(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ")") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}")
    }

    private static func runEnd(in text: Span<UInt8>, from start: Int) -> Int {
        var index = start
        while index < text.count, !endsRun(text, index) { index += 1 }
        return index
    }

    private static func endsRun(_ text: Span<UInt8>, _ index: Int) -> Bool {
        switch text[index] {
        case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: ","), UInt8(ascii: ";"): true
        default: spaceWidth(text, index) > 0
        }
    }

    /// The length of the white space or control character at an index, or 0.
    private static func spaceWidth(_ text: Span<UInt8>, _ index: Int) -> Int {
        let byte = text[index]
        if byte < 0x80 { return byte <= 0x20 || byte == 0x7F ? 1 : 0 }
        // U+FEFF is invisible, so it does not separate words.
        return byte == 0xEF ? 0 : EmailTrimming.leadingSpaceWidth(text, index, text.count)
    }

    /// Whether white space ends before an index, where it may have up to three bytes.
    private static func endsInSpace(_ text: Span<UInt8>, _ end: Int) -> Bool {
        for width in 1...3 where end >= width && spaceWidth(text, end - width) == width { return true }
        return false
    }

    // MARK: - Remaining text

    private mutating func append(_ run: Span<UInt8>) {
        for index in run.indices { append(run[index]) }
    }

    /// How many bytes at each end of an address are checked for brackets.
    private static let maximumFrameByteCount = 4

    /// Appends the brackets and quotation marks at both ends of an address. They stay if they belong to other words.
    private mutating func appendFrame(of run: Span<UInt8>) {
        var start = 0
        while start < Self.maximumFrameByteCount, start < run.count, Self.opensFrame(run[start]) {
            append(run[start])
            start += 1
        }
        var end = run.count
        while run.count - end < Self.maximumFrameByteCount, end > start, let opening = Self.opening(of: run[end - 1]),
            !run.extracting(start..<end - 1).contains(opening)
        {
            end -= 1
        }
        append(run.extracting(end..<run.count))
    }

    /// Appends a byte. An empty pair of brackets is replaced by a space, so that the texts around it are not joined to an
    /// address.
    private mutating func append(_ byte: UInt8) {
        guard let opening = Self.opening(of: byte) else { return LabelText.append(byte, to: &bytes) }
        let isAfterSpace = bytes.last == 0x20
        if (isAfterSpace ? bytes.dropLast().last : bytes.last) == opening {
            bytes.removeLast(isAfterSpace ? 2 : 1)
            LabelText.append(0x20, to: &bytes)
        } else {
            bytes.append(byte)
        }
    }

    private static func opening(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: ">"): UInt8(ascii: "<")
        case UInt8(ascii: ")"): UInt8(ascii: "(")
        case UInt8(ascii: "]"): UInt8(ascii: "[")
        case UInt8(ascii: "}"): UInt8(ascii: "{")
        case UInt8(ascii: "\""), UInt8(ascii: "'"): byte
        default: nil
        }
    }

    /// Whether ``opening(of:)`` returns this byte for any other or for itself.
    private static func opensFrame(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "<"), UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "\""),
            UInt8(ascii: "'"):
            true
        default: false
        }
    }

    /// Removes the separators at both ends, which were next to an address. Removes all of the text if no letter or digit is left.
    private mutating func trim() {
        while let last = bytes.last, Self.isSeparator(last) { bytes.removeLast() }
        let start = bytes.firstIndex { !Self.isSeparator($0) } ?? bytes.count
        bytes.removeFirst(start)
        if !bytes.contains(where: { $0 >= 0x80 || ASCII.isLetter($0) || ASCII.isDigit($0) }) { bytes.removeAll() }
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "/"),
            UInt8(ascii: "|"), UInt8(ascii: "<"), UInt8(ascii: "\""):
            true
        default: false
        }
    }
}
