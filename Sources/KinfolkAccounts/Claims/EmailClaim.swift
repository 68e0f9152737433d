public import KinfolkModel

/// An account's claim on an address that another account has verified.
///
/// A verified address never moves at once. The account that proves it makes a claim, and then:
///
/// 1. The host mails a notice to all addresses in ``notice`` and reports that with `Service.acknowledgeNotice(of:)`. Then the
/// wait begins (`Service.claimWait()`, 24 hours unless changed).
/// 2. The owner may refuse: `Account.refuseClaims(on:code:)`, with a code that was mailed to the disputed address.
/// 3. If the owner does not refuse, the claimant must prove the address again within 7 days after the wait, and then has it. If
/// the owner refused and the claimant still proves the address again, the claim is disputed, and the operator decides:
/// `Service.transferEmail(_:to:)` or `Service.dismissClaim(_:)`.
///
/// A claim is against one owner: it ends when the owner loses the address, removes it or is erased. All of this is for the
/// operator only. Do not tell either person who the other is.
///
/// ```swift
/// for claim in try service.emailClaims() where claim.state == .awaitingNotice {
///     for address in claim.notice { send("Somebody else has proved an address of yours.", address) }
///     try service.acknowledgeNotice(of: claim.id)  // the wait begins
/// }
/// ```
public struct EmailClaim: Hashable, Sendable {
    /// The state of a claim. The raw values are those of `kinfolk_claim_state` in C.
    public enum State: Int32, Sendable, CaseIterable {
        /// The notice has not been acknowledged yet. The address cannot move before that.
        case awaitingNotice = 1
        /// The wait has begun, and the owner may refuse.
        case waiting = 2
        /// The wait is over, and the claimant may prove the address again. Until then the owner may still refuse.
        case completable = 3
        /// The owner refused. For 30 days the claimant cannot claim the address again.
        case refused = 4
        /// Both proved that they read the mails of the address: the operator decides.
        case disputed = 5
        /// The operator decided for the owner. For 30 days the claimant cannot claim the address again.
        case dismissed = 6
    }

    /// The operator's identifier of the claim.
    public let id: ClaimID
    /// The disputed address, as its owner spelled it.
    public let address: String
    /// The account that has the address verified.
    public let owner: AccountID
    /// The account that claims it.
    public let claimant: AccountID
    /// The state of the claim.
    public let state: State
    /// When the claimant first proved the address.
    public let openedAt: Timestamp
    /// When the host reported that the notice was mailed; nil before that.
    public let noticedAt: Timestamp?
    /// When the claimant may prove the address again; nil while that is not known.
    public let completableAt: Timestamp?
    /// All verified addresses of the owner, to which the notice must be mailed: in their canonical form, as
    /// ``VerificationMail/recipient``.
    public let notice: [String]
}

extension EmailClaim: Redacted {}
