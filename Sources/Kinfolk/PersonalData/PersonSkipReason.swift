import KinfolkContacts

/// Why a person in a file, or one of their addresses, was not imported.
public enum PersonSkipReason: Error, Sendable, Hashable {
    /// The row cannot be read, or one of its addresses cannot be used. In the latter case the rest of the row is used.
    case row(SkipReason)
    /// The row has no address. Without one, the person could not be recognised if the file were imported again.
    case noAddress
    /// An account already has one of the addresses: the person was imported before, or the address belongs to another person.
    case addressTaken
    /// The row has more addresses than an account may have.
    case tooManyAddresses
    /// A part of the name is longer than ``PersonName/maximumLength`` bytes.
    case nameTooLong
    /// The consent is neither yes, nor no, nor empty.
    case unclearConsent

    /// A name that does not change between versions.
    public var name: String {
        switch self {
        case .row(let reason): reason.name
        case .noAddress: "noAddress"
        case .addressTaken: "addressTaken"
        case .tooManyAddresses: "tooManyAddresses"
        case .nameTooLong: "nameTooLong"
        case .unclearConsent: "unclearConsent"
        }
    }

    /// One sentence for a person, without any content of the file.
    public var sentence: String {
        switch self {
        case .row(let reason): reason.sentence
        case .noAddress: "The person has no e-mail address."
        case .addressTaken: "An account has this address already."
        case .tooManyAddresses: "The person has more than \(Account.maximumEmails) addresses."
        case .nameTooLong: "A part of the name is longer than \(PersonName.maximumLength) bytes."
        case .unclearConsent: "The consent is neither yes nor no nor empty."
        }
    }
}

extension PersonSkipReason: CustomStringConvertible {
    public var description: String { sentence }
}
