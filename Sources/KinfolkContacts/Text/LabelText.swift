import KinfolkModel

/// Normalises text to one line for display: no control characters, and single spaces between words.
enum LabelText {
    /// Appends text. The label may then end in a space.
    static func append(_ text: Span<UInt8>, to label: inout [UInt8]) {
        guard !isLine(text) else { return label.append(text) }
        ReadingSteps.take(text.count)
        for index in text.indices { append(text[index], to: &label) }
    }

    static func append(_ byte: UInt8, to label: inout [UInt8]) {
        if byte > 0x20, byte != 0x7F {
            label.append(byte)
        } else if let last = label.last, last != 0x20 {
            label.append(0x20)
        }
    }

    /// The text on one line, or nil if it already is one line.
    static func line(_ text: Span<UInt8>) -> [UInt8]? {
        guard !isLine(text) else { return nil }
        var label: [UInt8] = []
        append(text, to: &label)
        if label.last == 0x20 { label.removeLast() }
        return label
    }

    /// Whether the text already is one line, as nearly all names are.
    private static func isLine(_ text: Span<UInt8>) -> Bool {
        ReadingSteps.take(text.count)
        var previous: UInt8 = 0x20
        for index in text.indices {
            let byte = text[index]
            if byte < 0x20 || byte == 0x7F || byte == 0x20 && previous == 0x20 { return false }
            previous = byte
        }
        return true
    }
}
