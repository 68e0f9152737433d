public import KinfolkModel

/// The caller's contacts: for each a contact hash, and a label to show when the contact is found. Addresses are not kept.
///
/// Addresses within a label are removed: “Ada <ada@example.com>” becomes “Ada”, and a label that is an address becomes empty.
///
/// Contacts keep the order in which they were added. A contact that is added twice is stored twice, so an index identifies a
/// contact. A contact takes 32 bytes. A label takes its own length; consecutive contacts with the same label share one copy.
public struct ContactBook: Sendable {
    /// The maximum number of contacts in a book.
    public static let maximumCount = 1_000_000

    /// The maximum length of a label, in bytes of UTF-8.
    public static let maximumLabelByteCount = 1024

    private var hashes: [ContactHash] = []
    private var labels = ContactLabels()

    /// Creates a book without contacts.
    public init() {}

    /// How many contacts there are.
    public var count: Int { hashes.count }

    /// Whether there are no contacts.
    public var isEmpty: Bool { hashes.isEmpty }

    /// The contact hash at a position, or nil if there is no such position.
    public func hash(at index: Int) -> ContactHash? {
        hashes.indices.contains(index) ? hashes[index] : nil
    }

    /// The label at a position: empty if the contact has none, or there is no such position.
    public func label(at index: Int) -> String {
        withLabelBytes(at: index) { String(decoding: $0, as: UTF8.self) }
    }

    /// Adds one e-mail address.
    ///
    /// - Parameters:
    ///   - email: The address as the person writes it. Only its hash is kept.
    ///   - label: Returned by discovery together with the contact, for example a name. Addresses in it are removed.
    /// - Throws: `invalidArgument` if this is not an address; `limitExceeded` if the book is full or the label too long.
    public mutating func add(email: String, label: String = "") throws(KinfolkError) {
        try add(hash: EmailAddress(email).contactHash, label: label)
    }

    /// Adds one contact hash, computed by Kinfolk or by other software.
    ///
    /// - Parameters:
    ///   - hash: SHA-256 of the canonical form of an address.
    ///   - label: Returned by discovery together with the contact, for example a name. Addresses in it are removed.
    /// - Throws: `limitExceeded` if the book is full or the label longer than 1,024 bytes.
    public mutating func add(hash: ContactHash, label: String = "") throws(KinfolkError) {
        guard label.utf8.count <= Self.maximumLabelByteCount else {
            throw KinfolkError(.limitExceeded, "A label has at most \(Self.maximumLabelByteCount) bytes.")
        }
        try append(hash)
        labels.set(labels.store(label.utf8.span), for: count - 1..<count)
    }

    /// Calls `body` with all contact hashes, in order and without a copy.
    package func withUnsafeHashes<Result, Failure: Error>(
        _ body: (UnsafeBufferPointer<ContactHash>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try hashes.span.withUnsafeBufferPointer(body)
    }

    /// Calls `body` with the UTF-8 bytes of the label at a position; empty if there is no label.
    package func withLabelBytes<Result, Failure: Error>(
        at index: Int,
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try labels.withBytes(at: index, body)
    }

    /// Adds a contact without a label. ``setLabel(_:for:)`` sets it later, because in a vCard the name may come after the addresses.
    package mutating func append(_ hash: ContactHash) throws(KinfolkError) {
        guard hashes.count < Self.maximumCount else {
            throw KinfolkError(.limitExceeded, "A contact book has at most \(Self.maximumCount) contacts.")
        }
        hashes.append(hash)
    }

    /// Sets the label of contacts.
    mutating func setLabel(_ label: ContactLabel, for contacts: Range<Int>) {
        guard !contacts.isEmpty else { return }
        setLabel(store(label), for: contacts)
    }

    /// Sets the label of contacts to a stored one. An empty label changes nothing.
    mutating func setLabel(_ label: ContactLabels.Number, for contacts: Range<Int>) {
        labels.set(label, for: contacts.clamped(to: 0..<count))
    }

    /// Sets the label of the last contact to a text. Addresses are removed from it, and it is truncated if it is too long.
    mutating func setLastLabel(_ text: Span<UInt8>) {
        setLabel(labels.store(text), for: count - 1..<count)
    }

    /// Stores a label once that is then set for several ranges of contacts.
    package mutating func store(_ label: ContactLabel) -> ContactLabels.Number { labels.store(label) }

    func hasLabel(at index: Int) -> Bool { labels.hasLabel(index) }

    /// A point to rewind to when a card turns out to be broken or an import fails.
    package struct Mark {
        fileprivate let count: Int
        fileprivate let labels: ContactLabels.Mark
    }

    package var mark: Mark { Mark(count: count, labels: labels.mark) }

    /// Removes everything that was added after `mark` was taken.
    mutating func rewind(to mark: Mark) {
        guard mark.count < count else { return }
        hashes.removeLast(count - mark.count)
        labels.rewind(to: mark.labels)
    }
}

extension ContactBook: Redacted {
    /// How many contacts there are.
    public var description: String { "ContactBook(\(count) contacts)" }
}
