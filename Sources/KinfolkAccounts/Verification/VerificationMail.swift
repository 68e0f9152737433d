public import KinfolkModel

/// What a host mails, and where to.
public struct VerificationMail: Hashable, Sendable {
    /// Where the mail goes: the canonical form of the address, with its domain in A-labels. Do not mail to the text that a person
    /// typed: mail systems may deliver another spelling of the same address to another domain.
    public let recipient: String
    /// The code that the account's owner types in: `ABCD-EFGH`. It is valid for 10 minutes and 5 tries.
    public let code: String
    /// Allows one more mail to this address within 24 hours, after others have used up its mails: `ABCD-EFGH-JKMN-PQRS`.
    public let pass: String

    package init(recipient: String, code: String, pass: String) {
        (self.recipient, self.code, self.pass) = (recipient, code, pass)
    }
}

extension VerificationMail: Redacted {}
