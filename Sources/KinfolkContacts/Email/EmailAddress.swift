public import KinfolkModel

/// An e-mail address in the one form that all its spellings share.
///
/// Two addresses are equal when their canonical forms are: `Ada@BÜCHER.example` and `ada@xn--bcher-kva.example` are equal. Dots
/// and `+tags` are kept, because removing them would merge different people at providers other than Gmail. The rules and test
/// vectors are in `docs/canonical-email.md`.
///
/// ```swift
/// let address = try EmailAddress(" Ada@Example.COM")
/// print(address.canonical)  // ada@example.com
/// ```
public struct EmailAddress: Sendable, Hashable {
    /// The canonical form: UTF-8, at most 254 bytes, the domain in A-labels. Making it canonical again changes nothing.
    public let canonical: String

    /// Parses an address as a person writes it; white space around it is allowed.
    ///
    /// - Throws: `invalidArgument` if this is not an address; the reason says why, and never holds the address.
    public init(_ text: String) throws(KinfolkError) {
        do {
            var address = CanonicalEmail()
            try address.take(text.utf8.span)
            self.init(address)
        } catch {
            throw KinfolkError(.invalidArgument, error.sentence)
        }
    }

    package init(_ canonical: borrowing CanonicalEmail) {
        self.canonical = canonical.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    /// The contact hash of an address, without keeping the address.
    package static func contactHash(of text: Span<UInt8>) throws(KinfolkError) -> ContactHash {
        do { return try ContactHash(email: text) } catch { throw KinfolkError(.invalidArgument, error.sentence) }
    }

    /// SHA-256 of the canonical form.
    public var contactHash: ContactHash { ContactHash(canonicalBytes: canonical.utf8.span.bytes) }
}

extension EmailAddress: Redacted {}
