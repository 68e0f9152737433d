/// The kinds of text that contacts are read from.
public enum ContactFormat: String, Sendable, CaseIterable {
    /// vCard 2.1, 3.0 or 4.0 (RFC 6350, RFC 2426), as phones and mail programs export it: each address of each card, labelled by
    /// `FN` or else `N`.
    case vCard
    /// A table (RFC 4180), as Google Contacts, Outlook and Thunderbird export it.
    ///
    /// Every cell that holds one or more addresses counts, in any column. Names are found by headers in many languages, or else
    /// by position. The separator, comma, semicolon or tab, is detected from the first row. A cell that is not an address is
    /// reported if it is in a column of addresses.
    case csv
    /// LDIF (RFC 2849), as Thunderbird and directory servers export it.
    ///
    /// Addresses come from `mail`, `mozillaSecondEmail`, `rfc822Mailbox` and similar attributes; the label comes from `cn`, or
    /// else `displayName`, or else `givenName` and `sn`. Values given as URLs are not fetched. An entry that only changes or
    /// deletes another entry is skipped and reported.
    case ldif
    /// jCard (RFC 7095), which is vCard as JSON: each `email`, labelled by `fn` or else `n`.
    ///
    /// The text is one card, an array of cards, or JSON that contains cards. If the text stops being valid JSON, reading ends there,
    /// and this is reported.
    case jCard
    /// Addresses, `Name <address>` or contact hashes of 64 hexadecimal digits, one per line.
    ///
    /// A line may hold several addresses, separated by commas or semicolons. Blank lines and lines that begin with `#` are
    /// ignored.
    case list

    func makeReader() -> any ContactReader {
        switch self {
        case .vCard: VCardReader()
        case .csv: CSVContactReader()
        case .ldif: LDIFReader()
        case .jCard: JCardReader()
        case .list: AddressListReader()
        }
    }
}
