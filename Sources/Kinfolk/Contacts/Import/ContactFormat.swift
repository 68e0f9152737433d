/// The kinds of text that contacts are read from.
public enum ContactFormat: String, Sendable, CaseIterable {
    /// vCard 2.1, 3.0 or 4.0 (RFC 6350, RFC 2426), as phones and mail programs export it.
    case vCard
    /// A table, as Google Contacts, Outlook and Thunderbird export it.
    case csv
    /// LDIF (RFC 2849), as Thunderbird and directory servers export it.
    case ldif
    /// jCard (RFC 7095): vCards as JSON.
    case jCard
    /// Addresses, `Name <address>` or contact hashes: one per line, or several addresses separated by commas or semicolons.
    case list
}
