/// The caller's contacts: a contact hash each, and a label to show when one of them is found. No address is kept.
///
/// An address within a label is left out: “Ada <ada@example.com>” becomes “Ada”, and a label that is an address becomes empty.
///
/// Contacts stay in the order in which they were added, and what was added twice is there twice: a position names a
/// contact. A contact takes 32 bytes, and its label what it is long, once for contacts that follow each other with the
/// same one.
public struct ContactBook: Sendable {
    /// The most contacts that a book takes.
    public static let maximumCount = 1_000_000

    /// The longest label, in bytes of UTF-8.
    public static let maximumLabelByteCount = 1024

    private var hashes: [ContactHash] = []
    private var labels = ContactLabels()

    /// A book without contacts.
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
    ///   - label: What discovery hands back with the contact, a name for example. Addresses in it are left out.
    /// - Throws: `invalidArgument` if this is not an address; `limitExceeded` if the book is full or the label too long.
    public mutating func add(email: String, label: String = "") throws(KinfolkError) {
        try add(hash: EmailAddress(email).contactHash, label: label)
    }

    /// Adds one contact hash, made here or by anybody else.
    ///
    /// - Parameters:
    ///   - hash: SHA-256 of the canonical form of an address.
    ///   - label: What discovery hands back with the contact, a name for example. Addresses in it are left out.
    /// - Throws: `limitExceeded` if the book is full or the label longer than 1,024 bytes.
    public mutating func add(hash: ContactHash, label: String = "") throws(KinfolkError) {
        guard label.utf8.count <= Self.maximumLabelByteCount else {
            throw KinfolkError(.limitExceeded, "A label has at most \(Self.maximumLabelByteCount) bytes.")
        }
        try append(hash)
        labels.set(label.utf8.span, for: count - 1..<count)
    }

    /// Lends all contact hashes, in order and without a copy.
    package func withUnsafeHashes<Result, Failure: Error>(
        _ body: (UnsafeBufferPointer<ContactHash>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try hashes.span.withUnsafeBufferPointer(body)
    }

    /// Lends the UTF-8 of the label at a position: no bytes if there is none.
    package func withLabelBytes<Result, Failure: Error>(
        at index: Int,
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try labels.withBytes(at: index, body)
    }

    /// Adds a contact whose label follows by ``setLabel(_:for:)``: in a vCard the name may come after the addresses.
    mutating func append(_ hash: ContactHash) throws(KinfolkError) {
        guard hashes.count < Self.maximumCount else {
            throw KinfolkError(.limitExceeded, "A contact book has at most \(Self.maximumCount) contacts.")
        }
        hashes.append(hash)
    }

    /// Labels contacts that have no label yet; a label too long is cut.
    mutating func setLabel(_ label: Span<UInt8>, for contacts: Range<Int>) {
        labels.set(label, for: contacts.clamped(to: 0..<count))
    }

    /// How far the book has come, to return to when a card turns out broken or an import fails.
    struct Mark {
        fileprivate let count: Int
        fileprivate let labels: ContactLabels.Mark
    }

    var mark: Mark { Mark(count: count, labels: labels.mark) }

    /// Forgets what was added since.
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
