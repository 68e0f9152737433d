import KinfolkModel

/// The attributes that contacts are read from, and the lines that give LDIF its structure.
enum LDIFAttribute {
    /// A blank line, which ends an entry.
    case separator
    case distinguishedName
    case version
    case changeType
    /// Its values are e-mail addresses.
    case address
    /// Its values are addresses of several systems, each with the name of its system as a prefix: `SMTP:ada@example.com`.
    case proxyAddress
    case commonName
    case displayName
    case givenName
    case surname

    /// The longest attribute name, with its options, that is recognised.
    static let maximumNameByteCount = 128

    /// Recognises the attribute of a line by its name. Nil for an attribute that is not used. Options are ignored: `mail;lang-fr` is
    /// `mail`.
    ///
    /// - Parameter end: Set to the index of the colon, or else to the end of the line or of the limit.
    init?(of line: Span<UInt8>, nameEnd end: inout Int) {
        let limit = min(line.count, Self.maximumNameByteCount)
        var nameEnd: Int?
        end = 0
        while end < limit, line[end] != UInt8(ascii: ":") {
            if line[end] == UInt8(ascii: ";") { nameEnd = nameEnd ?? end }
            end += 1
        }
        ReadingSteps.take(2 * end)
        let name = line.extracting(0..<(nameEnd ?? end))
        guard let attribute = Self.named(name.extracting(name.trimmedASCIIRange)) else { return nil }
        self = attribute
    }

    /// Finds an attribute by its name, by one of its other names, or by its object identifier (RFC 4512, section 2.5).
    private static func named(_ name: Span<UInt8>) -> LDIFAttribute? {
        for (word, attribute) in words where name.isASCII(word) { return attribute }
        return nil
    }

    private static let words: [(StaticString, LDIFAttribute)] = [
        ("dn", .distinguishedName),
        ("mail", .address),
        ("cn", .commonName),
        ("sn", .surname),
        ("givenname", .givenName),
        ("displayname", .displayName),
        ("mozillasecondemail", .address),
        ("version", .version),
        ("changetype", .changeType),
        ("rfc822mailbox", .address),
        ("email", .address),
        ("emailaddress", .address),
        ("mailalternateaddress", .address),
        ("maillocaladdress", .address),
        ("othermailbox", .address),
        ("proxyaddresses", .proxyAddress),
        ("commonname", .commonName),
        ("surname", .surname),
        ("gn", .givenName),
        ("0.9.2342.19200300.100.1.3", .address),
        ("1.2.840.113549.1.9.1", .address),
        ("2.5.4.3", .commonName),
        ("2.5.4.4", .surname),
        ("2.5.4.42", .givenName),
        ("2.16.840.1.113730.3.1.241", .displayName),
    ]
}
