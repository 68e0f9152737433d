/// Why an entry or an address was not used.
public enum SkipReason: Sendable, Hashable {
    /// It is not an e-mail address that Kinfolk takes.
    case address(EmailFault)
    /// A card has no `END:VCARD` before the next one begins, or before the end of the file: it may be cut off anywhere.
    case cardWithoutEnd
    /// There is an `END:VCARD` without a beginning.
    case cardWithoutBegin
    /// A card is within a card that is within a card, and so on.
    case cardTooDeep
    /// A card that is the value of a property (`AGENT`) is longer than 64 KiB.
    case cardTooLong
    /// A quoted field of a table has no closing quotation mark.
    case unclosedQuote
    /// A row of a table is longer than 256 KiB.
    case rowTooLong

    /// A name that stays the same from version to version.
    public var name: String {
        switch self {
        case .address(let fault): fault.rawValue
        case .cardWithoutEnd: "cardWithoutEnd"
        case .cardWithoutBegin: "cardWithoutBegin"
        case .cardTooDeep: "cardTooDeep"
        case .cardTooLong: "cardTooLong"
        case .unclosedQuote: "unclosedQuote"
        case .rowTooLong: "rowTooLong"
        }
    }

    /// One sentence for a person, without any content of the file.
    public var sentence: String {
        switch self {
        case .address(let fault): fault.sentence
        case .cardWithoutEnd: "The card has no END:VCARD."
        case .cardWithoutBegin: "There is an END:VCARD without a BEGIN:VCARD."
        case .cardTooDeep: "The card lies too deep within other cards."
        case .cardTooLong: "The card within a card is longer than 64 KiB."
        case .unclosedQuote: "A quotation mark in the row is never closed."
        case .rowTooLong: "The row is longer than 256 KiB."
        }
    }
}

extension SkipReason: CustomStringConvertible {
    public var description: String { sentence }
}
