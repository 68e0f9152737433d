/// Text made into one line to show.
enum LabelText {
    /// Appends without control characters, and with single spaces between words.
    static func append(_ text: Span<UInt8>, to label: inout [UInt8]) {
        label.reserveCapacity(label.count + text.count)
        for index in text.indices { append(text[index], to: &label) }
    }

    static func append(_ byte: UInt8, to label: inout [UInt8]) {
        if byte > 0x20, byte != 0x7F {
            label.append(byte)
        } else if let last = label.last, last != 0x20 {
            label.append(0x20)
        }
    }
}
