public import KinfolkModel

/// What a host mails to an address.
public struct VerificationMail: Hashable, Sendable {
    /// The code that the account's owner types in: `ABCD-EFGH`. It is valid for 10 minutes and 5 tries.
    public let code: String
    /// Allows one more mail to this address within 24 hours, after others have used up its mails: `ABCD-EFGH-JKMN-PQRS`.
    public let pass: String
}

extension VerificationMail: Redacted {}
