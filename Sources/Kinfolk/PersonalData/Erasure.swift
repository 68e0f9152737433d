import KinfolkModel

/// The result of erasing an account.
public struct Erasure: Hashable, Sendable {
    /// How many e-mail addresses were removed.
    public let emails: Int
    /// How many containers the account had used. Everything kept there was removed.
    public let containers: Int
    /// How many records were removed: two user records for each container, saved or not, and all other records that the person
    /// created. Public records that stay without a creator are not counted.
    public let records: Int
    /// When the mails that the account requested in the last 24 hours stop counting; nil if there were none. The counts are
    /// stored by address alone, sealed, so that erasing an account does not reset a limit.
    public let mailsCountUntil: Timestamp?
    /// Whether the store may still contain erased data: its write-ahead log, because a reader uses it, until one of the next writes or
    /// until the store is closed; or the chunks of assets, which nobody can open any more, and which are deleted in batches.
    public let isPending: Bool
    /// The number of the account's addresses whose spent permits stay stored, so that a person who returns with the same address
    /// cannot spend them again: see ``rememberedUntil``. What is stored reveals neither the address nor the account.
    public let rememberedEmails: Int
    /// When the last stored amount of ``rememberedEmails`` is deleted, at most 30 days from now; nil if there is none.
    public let rememberedUntil: Timestamp?
}
