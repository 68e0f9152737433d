import KinfolkContacts
public import KinfolkCore
public import KinfolkModel
import KinfolkStorage

extension Service {
    /// The claims on addresses, in the order of their IDs, a page at a time: those after `last`, at most `limit`.
    public func emailClaims(after last: ClaimID? = nil, limit: Int = 1_000) throws(KinfolkError) -> [EmailClaim] {
        try read { db in try Claims(self, db).all(after: last, limit: max(0, limit)) }
    }

    /// Records that the notice of a claim was mailed to all addresses in ``EmailClaim/notice``. The wait begins now; if it has
    /// already begun, nothing changes.
    ///
    /// - Throws: ``KinfolkError/Code/unknownItem`` if there is no such claim.
    @discardableResult
    public func acknowledgeNotice(of claim: ClaimID) throws(KinfolkError) -> EmailClaim {
        try write { db in try Claims(self, db).acknowledgeNotice(of: claim) }
    }

    /// Decides a claim in favour of the owner of the address. For 30 days, the claimant cannot claim it again, and no claim by
    /// anybody moves it without the operator.
    ///
    /// - Throws: ``KinfolkError/Code/unknownItem`` if there is no such claim.
    @discardableResult
    public func dismissClaim(_ claim: ClaimID) throws(KinfolkError) -> EmailClaim {
        try write { db in try Claims(self, db).dismiss(claim) }
    }

    /// Gives an address to an account at once, as verified, whichever account has it now. That account loses it, and all claims
    /// against that account on the address end.
    ///
    /// This is the operator's decision, and the only call that moves a verified address without a proof, a notice and a wait.
    ///
    /// - Parameters:
    ///   - spelling: The address. It is added to the account if the account does not have it.
    ///   - account: An account of this service.
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if this is not an address, or the account belongs to another service,
    ///   ``KinfolkError/Code/limitExceeded`` if the account has ``Account/maximumEmails`` already.
    public func transferEmail(_ spelling: String, to account: Account) throws(KinfolkError) {
        guard account.service === self else {
            throw KinfolkError(.invalidArgument, "The account belongs to another service.")
        }
        let email = try EmailAddress(spelling)
        try write { db in
            try AccountRows.askAhead(account.id, db)
            _ = try account.row(db)
            let tags = try tags(of: email, db)
            let owner = try EmailTable.owner(of: tags, db)
            try account.changing(db) { rows in
                try account.insertEmail(email, spelling: spelling, tags, &rows, db)
                try account.own(rows.email(tags).tag, tags, from: owner, &rows, db)
            }
        }
        watcher.stir()
    }

    /// How many seconds an owner has to refuse a claim after the notice: 86,400 unless changed.
    public func claimWait() throws(KinfolkError) -> Double {
        try read { db in try ClaimWait.value(keys(db), db) }
    }

    /// Changes how many seconds an owner has to refuse a claim. It applies to notices that are acknowledged from now on.
    ///
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if it is negative, more than 30 days or not a number.
    public func setClaimWait(_ seconds: Double) throws(KinfolkError) {
        guard (0...ClaimWait.maximum).contains(seconds) else {
            throw KinfolkError(.invalidArgument, "The wait must be from 0 to \(Int(ClaimWait.maximum)) seconds.")
        }
        try write { db in try ClaimWait.set(seconds, keys(db), db) }
    }
}
