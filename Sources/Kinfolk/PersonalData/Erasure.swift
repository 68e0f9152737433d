/// What the erasure of an account removed.
public struct Erasure: Hashable, Sendable {
    /// E-mail addresses.
    public let emails: Int
    /// Containers that the account had used, with all that was kept there.
    public let containers: Int
    /// User records: two for each container, one in each database.
    public let records: Int
    /// Until when the mails that the account requested in the last 24 hours are counted; nil if there were none. The counts are
    /// kept by the addresses alone, sealed, so that erasing an account resets no limit.
    public let mailsCountUntil: Timestamp?
    /// Whether the store's write-ahead log may still hold what was erased, because a reader holds it. It is emptied after one
    /// of the next writes, or when the store is closed.
    public let isPending: Bool
    /// For how many of the account's addresses limits remember what was spent with them, so that nobody has it to spend again
    /// who comes back with the same address: see ``rememberedUntil``. Neither the address nor the account can be read from it.
    public let rememberedEmails: Int
    /// When the last of that is deleted, at most 30 days from now; nil if nothing is remembered.
    public let rememberedUntil: Timestamp?
}
