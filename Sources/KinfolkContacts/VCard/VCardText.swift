import KinfolkModel

/// Backslash escapes, and the structured value of `N` (RFC 6350, sections 3.4 and 6.2.2).
enum VCardText {
    /// Resolves the escapes of a value: `\n` becomes a line feed, and any other escaped character becomes itself.
    static func unescaped(_ value: Span<UInt8>) -> [UInt8] {
        ReadingSteps.take(value.count)
        var text: [UInt8] = []
        text.reserveCapacity(value.count)
        var index = 0
        while let byte = nextByte(of: value, at: &index) { text.append(byte) }
        return text
    }

    /// Appends the value of `FN`.
    static func appendLine(_ value: Span<UInt8>, to label: inout [UInt8]) {
        guard value.contains(UInt8(ascii: "\\")) else { return LabelText.append(value, to: &label) }
        ReadingSteps.take(value.count)
        var index = 0
        while let byte = nextByte(of: value, at: &index) { LabelText.append(byte, to: &label) }
    }

    /// Appends the value of `N`, `Family;Given;Additional;Prefix;Suffix`, in the order given, additional, family.
    static func appendFullName(_ value: Span<UInt8>, to label: inout [UInt8]) {
        let family = component(of: value, from: 0)
        let given = component(of: value, from: family.upperBound + 1)
        let additional = component(of: value, from: given.upperBound + 1)
        for part in [given, additional, family] where !part.isEmpty {
            if !label.isEmpty, label.last != 0x20 { label.append(0x20) }
            appendLine(value.extracting(part), to: &label)
        }
    }

    private static func component(of value: Span<UInt8>, from start: Int) -> Range<Int> {
        let start = min(start, value.count)
        var end = start
        while end < value.count, value[end] != UInt8(ascii: ";") {
            end += value[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        ReadingSteps.take(end - start)
        return start..<min(end, value.count)
    }

    private static func nextByte(of value: Span<UInt8>, at index: inout Int) -> UInt8? {
        guard index < value.count else { return nil }
        var byte = value[index]
        index += 1
        if byte == UInt8(ascii: "\\"), index < value.count {
            byte = value[index]
            index += 1
            if byte | 0x20 == UInt8(ascii: "n") { return UInt8(ascii: "\n") }
        }
        return byte
    }
}
