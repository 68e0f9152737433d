/// A label that a reader composes from names: without addresses, and at most ``ContactBook/maximumLabelByteCount`` bytes long.
package struct ContactLabel {
    private(set) var bytes: [UInt8] = []

    var isEmpty: Bool { bytes.isEmpty }

    /// The empty label.
    init() {}

    /// - Parameter append: Appends names to the empty label.
    init(_ append: (inout [UInt8]) -> Void) { compose(append) }

    /// Replaces the label and reuses its memory.
    mutating func compose(_ append: (inout [UInt8]) -> Void) {
        bytes.removeAll(keepingCapacity: true)
        append(&bytes)
        // Before the label is truncated, because it may be short enough without its addresses.
        if let text = AddressFreeText(bytes.span) { bytes = text.bytes }
        bytes.removeLast(bytes.count - bytes.span.prefixCount(withinUTF8Bytes: ContactBook.maximumLabelByteCount))
        if bytes.last == 0x20 { bytes.removeLast() }
    }

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }
}
