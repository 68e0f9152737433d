/// What a proof of an address led to.
public enum EmailVerification: Hashable, Sendable {
    /// The address counts for the account.
    case verified
    /// Another account has the address verified. It keeps it for now.
    case claim(EmailClaim)

    /// The claim; nil if the address counts for the account.
    public var claim: EmailClaim? {
        if case .claim(let claim) = self { claim } else { nil }
    }
}
