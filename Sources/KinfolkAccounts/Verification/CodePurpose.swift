/// The purpose of a code that was mailed to an address. A code works only for its own purpose.
public enum CodePurpose: Int32, Sendable, CaseIterable {
    /// To prove an address that the account does not have verified.
    case addEmail = 1
    /// To sign a person in by an address that the account has verified.
    case signIn = 2
    /// To refuse a claim on an address that the account has verified.
    case refuseClaim = 3
}
