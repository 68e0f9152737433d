/// Why an entry or an address was not used.
public enum SkipReason: Sendable, Hashable {
    /// It is not an e-mail address that Kinfolk accepts.
    case address(EmailFault)
    /// A card has no `END:VCARD` before the next card or the end of the file. It may be cut off in the middle of an address, so
    /// none of it is used.
    case cardWithoutEnd
    /// There is an `END:VCARD` without a beginning.
    case cardWithoutBegin
    /// Cards are nested too deeply in other cards.
    case cardTooDeep
    /// A card that is the value of a property (`AGENT`) is longer than 64 KiB.
    case cardTooLong
    /// A value or a line is longer than 64 KiB. The rest of it was not read.
    case valueTooLong
    /// An LDIF record changes or deletes an entry, and holds no contact itself.
    case changeRecord
    /// A value of LDIF is not base64.
    case invalidBase64
    /// An LDIF address is given as a URL, which is not fetched.
    case linkedValue
    /// The text of a jCard is not valid JSON from here on, so the rest was not read; or it ends here within a string or brackets.
    case invalidJSON
    /// A quoted field of a table has no closing quotation mark.
    case unclosedQuote
    /// A row of a table is longer than 256 KiB.
    case rowTooLong

    /// A name that does not change between versions.
    public var name: String {
        switch self {
        case .address(let fault): fault.rawValue
        case .cardWithoutEnd: "cardWithoutEnd"
        case .cardWithoutBegin: "cardWithoutBegin"
        case .cardTooDeep: "cardTooDeep"
        case .cardTooLong: "cardTooLong"
        case .valueTooLong: "valueTooLong"
        case .changeRecord: "changeRecord"
        case .invalidBase64: "invalidBase64"
        case .linkedValue: "linkedValue"
        case .invalidJSON: "invalidJSON"
        case .unclosedQuote: "unclosedQuote"
        case .rowTooLong: "rowTooLong"
        }
    }

    /// One sentence for a person, without any content of the file.
    public var sentence: String {
        switch self {
        case .address(let fault): fault.sentence
        case .cardWithoutEnd: "The card has no end."
        case .cardWithoutBegin: "There is an END:VCARD without a BEGIN:VCARD."
        case .cardTooDeep: "The card lies too deep within other cards."
        case .cardTooLong: "The card within a card is longer than 64 KiB."
        case .valueTooLong: "It is longer than 64 KiB, and its end was not read."
        case .changeRecord: "The entry only changes or deletes another one."
        case .invalidBase64: "The value is not base64."
        case .linkedValue: "The value is a link, and links are not followed."
        case .invalidJSON: "The text is not valid JSON from here on, and the rest was not read."
        case .unclosedQuote: "A quotation mark in the row is never closed."
        case .rowTooLong: "The row is longer than 256 KiB."
        }
    }
}

extension SkipReason: CustomStringConvertible {
    public var description: String { sentence }
}
