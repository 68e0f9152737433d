/// The labels of a contact book: the bytes of all labels in one array, and the label number of each contact.
///
/// Label 0 is the empty label. No number is stored for contacts after the last contact with a label.
struct ContactLabels: Sendable {
    private var bytes: [UInt8] = []
    private var ends: [UInt32] = [0]
    private var labelOfContact: [UInt32] = []

    /// Sets the label of these contacts, which have none yet. Addresses are removed from it first; then it is truncated if it is
    /// too long.
    ///
    /// All labels of a book pass through here, so that no label contains an address.
    mutating func set(_ label: Span<UInt8>, for contacts: Range<Int>) {
        guard !label.isEmpty, !contacts.isEmpty else { return }
        guard let text = AddressFreeText(label)?.bytes else { return add(label, for: contacts) }
        add(text.span, for: contacts)
    }

    private mutating func add(_ label: Span<UInt8>, for contacts: Range<Int>) {
        let length = label.prefixCount(withinUTF8Bytes: ContactBook.maximumLabelByteCount)
        guard length > 0 else { return }
        let number = number(of: label.extracting(0..<length))
        while labelOfContact.count < contacts.upperBound { labelOfContact.append(0) }
        for contact in contacts { labelOfContact[contact] = number }
    }

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
        guard labelOfContact.indices.contains(contact), case let number = Int(labelOfContact[contact]), number > 0
        else {
            return try body(UnsafeBufferPointer(start: nil, count: 0))
        }
        let range = Int(ends[number - 1])..<Int(ends[number])
        return try bytes.span.extracting(range).withUnsafeBufferPointer(body)
    }

    /// The number of a label. A label equal to the previous one shares its number: the addresses of one person have the same
    /// label.
    private mutating func number(of label: Span<UInt8>) -> UInt32 {
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
