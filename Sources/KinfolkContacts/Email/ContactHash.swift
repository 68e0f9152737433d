import KinfolkCrypto
public import KinfolkModel

/// The SHA-256 of a canonical e-mail address: 32 bytes, the only part of a contact that needs to leave a client.
///
/// Other software can compute it without this library: canonicalise as `docs/canonical-email.md` says, then hash the UTF-8 bytes.
///
/// ```swift
/// let hash = try EmailAddress("ada@example.com").contactHash
/// try book.add(hash: hash, label: "Ada from chess")
/// ```
public struct ContactHash: Hashable, Sendable {
    /// The length of a contact hash, in bytes.
    public static let byteCount = 32

    @usableFromInline
    var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    private init() {}

    /// 32 zeros.
    package static let zero = ContactHash()

    /// A hash that was computed elsewhere; nil unless there are exactly 32 bytes.
    public init?(bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.byteCount else { return nil }
        withUnsafeMutableBytes { $0.copyMemory(from: bytes) }
    }

    /// A hash that was computed elsewhere; nil unless there are exactly 32 bytes.
    public init?(bytes: [UInt8]) {
        let hash = bytes.withUnsafeBytes { ContactHash(bytes: $0) }
        guard let hash else { return nil }
        self = hash
    }

    /// A hash that was computed elsewhere; nil unless the text is exactly 64 hexadecimal digits of either case.
    public init?(hex: String) {
        self.init(hexDigits: hex.utf8.span)
    }

    /// A hash from 64 ASCII hexadecimal digits of either case.
    package init?(hexDigits: Span<UInt8>) {
        guard hexDigits.count == 2 * Self.byteCount else { return nil }
        var bytes = InlineArray<32, UInt8>(repeating: 0)
        for index in bytes.indices {
            guard let high = Hexadecimal.value(hexDigits[2 * index]),
                let low = Hexadecimal.value(hexDigits[2 * index + 1])
            else { return nil }
            bytes[index] = high << 4 | low
        }
        withUnsafeMutableBytes { hash in
            bytes.span.withUnsafeBytes { hash.copyMemory(from: $0) }
        }
    }

    /// The hash of an address that is already canonical.
    package init(canonical: borrowing CanonicalEmail) {
        canonical.withUnsafeBytes { address in
            withUnsafeMutableBytes { SHA256.hash(address, into: $0) }
        }
    }

    package init(canonicalBytes: RawSpan) {
        canonicalBytes.withUnsafeBytes { address in
            withUnsafeMutableBytes { SHA256.hash(address, into: $0) }
        }
    }

    /// Canonicalises and hashes in one step, without an allocation for most addresses.
    package init(email: Span<UInt8>) throws(EmailFault) {
        var address = CanonicalEmail()
        try address.take(email)
        self.init(canonical: address)
    }

    /// The hash of a plain ASCII address without surrounding space, the most common kind; nil for any other text.
    package init?(plainEmail email: Span<UInt8>) {
        var address = CanonicalEmail()
        guard address.takePlain(email) else { return nil }
        self.init(canonical: address)
    }

    /// 64 lower-case hexadecimal digits.
    public var hex: String {
        let digits: StaticString = "0123456789abcdef"
        return String(unsafeUninitializedCapacity: 2 * Self.byteCount) { text in
            withUnsafeBytes { bytes in
                for (index, byte) in bytes.enumerated() {
                    text[2 * index] = digits.utf8Start[Int(byte >> 4)]
                    text[2 * index + 1] = digits.utf8Start[Int(byte & 15)]
                }
            }
            return 2 * Self.byteCount
        }
    }

    /// Calls `body` with the 32 bytes, which are valid only during the call.
    @inlinable
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try Swift.withUnsafeBytes(of: words, body)
    }

    private mutating func withUnsafeMutableBytes(_ body: (UnsafeMutableRawBufferPointer) -> Void) {
        Swift.withUnsafeMutableBytes(of: &words, body)
    }

    public static func == (left: ContactHash, right: ContactHash) -> Bool { left.words == right.words }

    public func hash(into hasher: inout Hasher) {
        // Use all bytes: a client chooses the hashes it sends and could make any part of them equal.
        withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}

extension ContactHash: Redacted {}
