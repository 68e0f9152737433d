/// Why a text is not an e-mail address that Kinfolk accepts.
///
/// The raw values are stable: reports and the published test vectors (`docs/canonical-email.md`) contain them.
public enum EmailFault: String, Error, Sendable, CaseIterable {
    /// The bytes are not UTF-8.
    case notUTF8
    /// There is no `@`.
    case noAtSign
    /// Nothing stands before the `@`.
    case emptyLocalPart
    /// Nothing stands after the `@`.
    case emptyDomain
    /// The local part is longer than 64 bytes.
    case localPartTooLong
    /// The canonical address is longer than 254 bytes, or the text longer than 1,024.
    case addressTooLong
    /// The local part begins or ends with a dot, or has two in a row.
    case misplacedDot
    /// The local part is in quotation marks.
    case quotedLocalPart
    /// The local part has a character that is neither in the atoms of RFC 5321 nor in the IdentifierClass of PRECIS.
    case forbiddenCharacter
    /// The local part breaks the Bidi Rule (RFC 5893, section 2).
    case mixedDirections
    /// The domain is an IP address.
    case addressLiteral
    /// The domain is not a valid host name (IDNA2008).
    case malformedDomain
    /// The domain is one label.
    case unqualifiedDomain

    /// One sentence for a person, without the address.
    public var sentence: String {
        switch self {
        case .notUTF8: "The address is not valid UTF-8."
        case .noAtSign: "There is no @ in the address."
        case .emptyLocalPart: "Nothing stands before the @."
        case .emptyDomain: "Nothing stands after the @."
        case .localPartTooLong: "The part before the @ is longer than 64 bytes."
        case .addressTooLong: "The address is longer than 254 bytes."
        case .misplacedDot: "The part before the @ begins or ends with a dot, or has two in a row."
        case .quotedLocalPart: "The part before the @ is in quotation marks, which is not supported."
        case .forbiddenCharacter: "The part before the @ has a character that no address may have, such as a space."
        case .mixedDirections: "The part before the @ mixes right-to-left with left-to-right letters."
        case .addressLiteral: "The domain is an IP address."
        case .malformedDomain: "The domain is not a valid domain name."
        case .unqualifiedDomain: "The domain is one word: a dot and a top-level domain are missing."
        }
    }
}
