import KinfolkModel

/// The bytes of a canonical e-mail address, stored inline. Only an international address needs an allocation.
///
/// Trim, split at the last `@`, then the local part by PRECIS UsernameCaseMapped (RFC 8265, section 3.3) and the domain by
/// IDNA2008 and UTS #46. `docs/canonical-email.md` is the specification.
package struct CanonicalEmail: Sendable {
    /// The longest address that fits a mail path (RFC 5321, section 4.5.3.1.3, less the angle brackets).
    package static let maximumByteCount = 254

    /// The longest local part (RFC 5321, section 4.5.3.1.1).
    package static let maximumLocalByteCount = 64

    /// The longest input that is accepted. Mapping may shorten it: each full-width letter takes three bytes.
    package static let maximumInputByteCount = 1024

    private var storage = InlineArray<254, UInt8>(repeating: 0)

    /// The length of the address, in bytes.
    package private(set) var count = 0

    /// An empty value, which ``take(_:)`` fills in the memory of the caller.
    package init() {}

    package init(_ text: Span<UInt8>) throws(EmailFault) {
        try take(text)
    }

    /// Sets this to the canonical form of `text`. Call it only once.
    package mutating func take(_ text: Span<UInt8>) throws(EmailFault) {
        let address = text.extracting(EmailTrimming.trimmedRange(of: text))
        if !takePlain(address) { try takeAny(address) }
    }

    /// Sets this to the canonical form of a plain ASCII address without surrounding space, in one pass. For any other text, it
    /// stays empty and this returns false.
    mutating func takePlain(_ text: Span<UInt8>) -> Bool {
        let dot = UInt8(ascii: ".")
        let end = min(text.count, Self.maximumLocalByteCount + 1)
        var at = 0
        var previous = dot
        while at < end {
            var byte = text[at]
            if ASCII.isLetter(byte) {
                byte |= 0x20
            } else if !ASCII.isAtomText(byte) {
                guard byte == dot, previous != dot else { break }
            }
            storage[at] = byte
            previous = byte
            at += 1
        }
        ReadingSteps.take(at)
        guard at < end, text[at] == UInt8(ascii: "@"), previous != dot else { return false }
        storage[at] = UInt8(ascii: "@")
        count = at + 1
        if appendASCIIDomain(text.extracting(droppingFirst: count)) { return true }
        count = 0
        return false
    }

    private mutating func takeAny(_ text: Span<UInt8>) throws(EmailFault) {
        guard text.count <= Self.maximumInputByteCount else { throw .addressTooLong }
        ReadingSteps.take(text.count)
        guard let at = Self.lastAtSign(in: text) else { throw .noAtSign }
        guard at.lowerBound > 0 else { throw .emptyLocalPart }
        guard at.upperBound < text.count else { throw .emptyDomain }

        let domain = text.extracting(droppingFirst: at.upperBound)
        try appendLocalPart(text.extracting(first: at.lowerBound))
        try append(UInt8(ascii: "@"))
        if !appendASCIIDomain(domain) { try DomainName.append(domain, to: &self) }
    }

    package borrowing func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try storage.span.extracting(first: count).withUnsafeBytes(body)
    }

    package mutating func append(_ byte: UInt8) throws(EmailFault) {
        guard count < Self.maximumByteCount else { throw .addressTooLong }
        storage[count] = byte
        count += 1
    }

    /// The last `@`, or full-width `＠` (U+FF20): people sometimes type the whole address in full-width characters.
    private static func lastAtSign(in text: Span<UInt8>) -> Range<Int>? {
        var index = text.count
        while index > 0 {
            index -= 1
            let byte = text[index]
            if byte == UInt8(ascii: "@") { return index..<index + 1 }
            if byte == 0xA0, index >= 2, text[index - 1] == 0xBC, text[index - 2] == 0xEF {
                return index - 2..<index + 1
            }
        }
        return nil
    }

    private mutating func appendLocalPart(_ text: Span<UInt8>) throws(EmailFault) {
        guard text.isASCII else {
            let mapped = try UsernameCaseMapped.map(text)
            return try appendMappedLocalPart(mapped.span)
        }
        try appendMappedLocalPart(text)
    }

    /// PRECIS has already checked non-ASCII characters. It allows more ASCII characters than an address without quotation marks
    /// may have, so this checks ASCII again.
    private mutating func appendMappedLocalPart(_ text: Span<UInt8>) throws(EmailFault) {
        guard text.count <= Self.maximumLocalByteCount else { throw .localPartTooLong }
        for index in text.indices {
            let byte = text[index]
            // In bounds: the local part comes first and has at most 64 bytes.
            if ASCII.isLetter(byte) {
                storage[index] = byte | 0x20
            } else {
                if byte < 0x80, !ASCII.isAtomText(byte) { try checkMark(text, index) }
                storage[index] = byte
            }
        }
        count = text.count
    }

    /// The only character besides `atext` that is allowed is a dot between two other characters.
    private func checkMark(_ text: Span<UInt8>, _ index: Int) throws(EmailFault) {
        let dot = UInt8(ascii: ".")
        guard text[index] == dot else {
            throw index == 0 && text[index] == UInt8(ascii: "\"") ? .quotedLocalPart : .forbiddenCharacter
        }
        guard index > 0, text[index - 1] != dot, index + 1 < text.count, text[index + 1] != dot else {
            throw .misplacedDot
        }
    }

    /// Appends a domain of plain labels in one pass. If the domain needs further checks, it appends nothing and returns false.
    private mutating func appendASCIIDomain(_ text: Span<UInt8>) -> Bool {
        guard text.count <= Self.maximumByteCount - count else { return false }
        ReadingSteps.take(text.count)
        var labelStart = 0
        var hasLetter = false
        for index in text.indices {
            let byte = text[index]
            if ASCII.isLetter(byte) {
                storage[count + index] = byte | 0x20
                hasLetter = true
                continue
            }
            if byte == UInt8(ascii: ".") {
                guard index > labelStart, index - labelStart <= DomainName.maximumLabelByteCount else { return false }
                labelStart = index + 1
                hasLetter = false
            } else if !ASCII.isDigit(byte) {
                // A hyphen may stand within a label, but not as its fourth character, where an A-label (`xn--`) has its second
                // hyphen.
                guard byte == UInt8(ascii: "-"), index > labelStart, index != labelStart + 3, index + 1 < text.count,
                    text[index + 1] != UInt8(ascii: ".")
                else { return false }
            }
            storage[count + index] = byte
        }
        guard hasLetter, labelStart > 0, text.count - labelStart <= DomainName.maximumLabelByteCount else {
            return false
        }
        count += text.count
        return true
    }
}
