/// The labels of a contact book: the bytes of all labels in one array, and the label number of each contact.
///
/// Label 0 is the empty label. No number is stored for contacts after the last contact with a label.
package struct ContactLabels: Sendable {
    private var bytes: [UInt8] = []
    private var ends: [UInt32] = [0]
    private var labelOfContact: [UInt32] = []

    /// A stored label. It is valid until the labels are rewound to a mark from before it was stored.
    package struct Number {
        fileprivate let value: UInt32
    }

    /// Stores a label, for any number of contacts. A label equal to the previous one shares its number: the addresses of one
    /// person have the same label.
    mutating func store(_ label: ContactLabel) -> Number {
        let bytes = label.bytes
        return Number(value: number(of: bytes.span))
    }

    /// Stores a label that is given as any text. Addresses are removed from it first; then it is truncated if it is too long.
    mutating func store(_ text: Span<UInt8>) -> Number {
        if let text = AddressFreeText(text)?.bytes { return Number(value: number(ofTruncated: text.span)) }
        return Number(value: number(ofTruncated: text))
    }

    /// Sets the label of these contacts.
    mutating func set(_ label: Number, for contacts: Range<Int>) {
        guard label.value > 0 else { return }
        while labelOfContact.count < contacts.upperBound { labelOfContact.append(0) }
        for contact in contacts { labelOfContact[contact] = label.value }
    }

    func hasLabel(_ contact: Int) -> Bool { labelOfContact.indices.contains(contact) && labelOfContact[contact] > 0 }

    struct Mark {
        fileprivate let byteCount: Int
        fileprivate let endCount: Int
        fileprivate let contactCount: Int
    }

    var mark: Mark { Mark(byteCount: bytes.count, endCount: ends.count, contactCount: labelOfContact.count) }

    /// Removes the labels that were set after `mark` was taken. The book removes the contacts.
    mutating func rewind(to mark: Mark) {
        bytes.removeLast(bytes.count - mark.byteCount)
        ends.removeLast(ends.count - mark.endCount)
        labelOfContact.removeLast(labelOfContact.count - mark.contactCount)
    }

    func withBytes<Result, Failure: Error>(
        at contact: Int,
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard hasLabel(contact), case let number = Int(labelOfContact[contact]), number < ends.count else {
            return try body(UnsafeBufferPointer(start: nil, count: 0))
        }
        let range = Int(ends[number - 1])..<Int(ends[number])
        return try bytes.span.extracting(range).withUnsafeBufferPointer(body)
    }

    private mutating func number(ofTruncated label: Span<UInt8>) -> UInt32 {
        number(of: label.extracting(0..<label.prefixCount(withinUTF8Bytes: ContactBook.maximumLabelByteCount)))
    }

    private mutating func number(of label: Span<UInt8>) -> UInt32 {
        guard !label.isEmpty else { return 0 }
        let last = ends.count - 1
        if last > 0, bytes.span.extracting(Int(ends[last - 1])..<Int(ends[last])).isEqual(to: label) {
            return UInt32(last)
        }
        bytes.append(label)
        // A million labels of at most 1,024 bytes end well below 2^32.
        ends.append(UInt32(truncatingIfNeeded: bytes.count))
        return UInt32(truncatingIfNeeded: last + 1)
    }
}
