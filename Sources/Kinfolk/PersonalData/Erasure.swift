import KinfolkModel

/// The result of erasing an account.
public struct Erasure: Hashable, Sendable {
    /// How many e-mail addresses were removed.
    public let emails: Int
    /// How many containers the account had used. Everything kept there was removed.
    public let containers: Int
    /// How many user records were removed: two for each container, one in each database.
    public let records: Int
    /// When the mails that the account requested in the last 24 hours stop counting; nil if there were none. The counts are
    /// stored by address alone, sealed, so that erasing an account does not reset a limit.
    public let mailsCountUntil: Timestamp?
    /// Whether the store's write-ahead log may still contain erased data, because a reader uses it. The log is emptied after one
    /// of the next writes, or when the store is closed.
    public let isPending: Bool
    /// For how many of the account's addresses limits remember what was spent with them, so that a person who returns with the
    /// same address cannot spend it again: see ``rememberedUntil``. Neither the address nor the account can be read from that.
    public let rememberedEmails: Int
    /// When the last of these amounts is deleted, at most 30 days from now; nil if nothing is remembered.
    public let rememberedUntil: Timestamp?
}
