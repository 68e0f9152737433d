/// The result of proving an address.
public enum EmailVerification: Hashable, Sendable {
    /// The address is now verified for the account.
    case verified
    /// Another account has the address verified, and keeps it for now.
    case claim(EmailClaim)

    /// The claim; nil if the address is verified for the account.
    public var claim: EmailClaim? {
        if case .claim(let claim) = self { claim } else { nil }
    }
}
