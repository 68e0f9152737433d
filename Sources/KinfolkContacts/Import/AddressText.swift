import KinfolkModel

/// An address as people and programs write it: `ada@example.com`, `Ada Lovelace <ada@example.com>`,
/// `ada@example.com (Ada Lovelace)`, `Ada Lovelace (ada@example.com)`, or a `mailto:` link.
package struct AddressText {
    /// The range of the address, or of the link to it, in the text.
    package let address: Range<Int>
    /// The range of the name in the text; empty if there is no name.
    package let name: Range<Int>

    /// Parses a part of a text.
    package init(_ text: Span<UInt8>, _ part: Range<Int>? = nil) {
        let whole = Self.trimmed(text, part ?? 0..<text.count)
        guard !whole.isEmpty else {
            address = whole
            name = whole
            return
        }
        let last = text[whole.upperBound - 1]
        if last == UInt8(ascii: ">"), let open = Self.last("<", in: text, whole) {
            address = open + 1..<whole.upperBound - 1
            name = Self.withoutQuotes(text, whole.lowerBound..<open)
        } else if last == UInt8(ascii: ")"), let open = Self.last("(", in: text, whole) {
            let before = whole.lowerBound..<open
            let within = Self.trimmed(text, open + 1..<whole.upperBound - 1)
            // Outlook writes the address in parentheses; other programs write the name in them.
            let isNameFirst = !text.extracting(before).contains(UInt8(ascii: "@"))
            address = isNameFirst ? within : before
            name = isNameFirst ? Self.trimmed(text, before) : within
        } else {
            address = whole
            name = whole.upperBound..<whole.upperBound
        }
    }

    /// The contact hash of the address. `text` must be the text that was parsed.
    package func hash(in text: Span<UInt8>) throws(EmailFault) -> ContactHash {
        let address = text.extracting(address)
        let start = address.trimmedASCIIRange.lowerBound
        guard address.extracting(droppingFirst: start).hasASCIIPrefix("mailto:") else {
            return try ContactHash(email: address)
        }
        let link = Self.percentDecoded(address.extracting(droppingFirst: start + "mailto:".utf8.count))
        return try ContactHash(email: link.span)
    }

    /// The next of several addresses, each on a line of its own or separated by ` ::: `, commas or semicolons; nil if no address
    /// is left.
    ///
    /// A separator has an `@` on both sides: in `Lovelace, Ada <ada@example.com>` the comma belongs to the name.
    package static func nextPart(of text: Span<UInt8>, from start: inout Int) -> Range<Int>? {
        while start < text.count, isSeparator(text[start]) || ASCII.isSpace(text[start]) { start += 1 }
        guard start < text.count else { return nil }
        let first = start
        var end = start
        var lastSeparator: Int?
        var hasAtSign = false
        while end < text.count {
            let byte = text[end]
            if byte == UInt8(ascii: "\n") { break }
            if ASCII.isLetter(byte) {
                // Neither a separator nor an at sign: most bytes are letters.
            } else if isAtSign(text, end) {
                if hasAtSign, let lastSeparator {
                    end = lastSeparator
                    break
                }
                hasAtSign = true
            } else if hasAtSign, lastSeparator == nil, isSeparator(byte) {
                lastSeparator = end
            }
            end += 1
        }
        ReadingSteps.take(end - first)
        start = end
        while end > first, isSeparator(text[end - 1]) || ASCII.isSpace(text[end - 1]) { end -= 1 }
        return first..<end
    }

    /// An address without quotation marks contains none of these.
    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: ":")
    }

    /// Whether an at sign ends at `index`: `@`, or the last byte of full-width `＠`.
    private static func isAtSign(_ text: Span<UInt8>, _ index: Int) -> Bool {
        text[index] == UInt8(ascii: "@")
            || text[index] == 0xA0 && index >= 2 && text[index - 1] == 0xBC && text[index - 2] == 0xEF
    }

    private static func last(_ byte: Unicode.Scalar, in text: Span<UInt8>, _ range: Range<Int>) -> Int? {
        var index = range.upperBound
        defer { ReadingSteps.take(range.upperBound - index) }
        while index > range.lowerBound {
            index -= 1
            if text[index] == UInt8(ascii: byte) { return index }
        }
        return nil
    }

    private static func trimmed(_ text: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
        let inner = text.extracting(range).trimmedASCIIRange
        return range.lowerBound + inner.lowerBound..<range.lowerBound + inner.upperBound
    }

    private static func withoutQuotes(_ text: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
        let name = trimmed(text, range)
        guard name.count >= 2, text[name.lowerBound] == UInt8(ascii: "\""),
            text[name.upperBound - 1] == UInt8(ascii: "\"")
        else { return name }
        return name.lowerBound + 1..<name.upperBound - 1
    }

    /// The address of a `mailto:` link, without its `?subject=` and so on (RFC 6068, section 2).
    private static func percentDecoded(_ link: Span<UInt8>) -> [UInt8] {
        var address: [UInt8] = []
        var index = 0
        let end = link.firstIndex(of: UInt8(ascii: "?"))
        ReadingSteps.take(end)
        while index < end {
            if link[index] == UInt8(ascii: "%"), end - index > 2,
                let high = Hexadecimal.value(link[index + 1]), let low = Hexadecimal.value(link[index + 2])
            {
                address.append(high << 4 | low)
                index += 3
            } else {
                address.append(link[index])
                index += 1
            }
        }
        return address
    }
}
