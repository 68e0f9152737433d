public import KinfolkContacts
import KinfolkCore
public import KinfolkModel
package import KinfolkStorage

extension Account {
    /// The claims by this account and against it that have not lapsed. A claim that was refused or dismissed lapses after 30 days
    /// at the earliest.
    public func claims() throws(KinfolkError) -> [EmailClaim] {
        try service.read { db in
            _ = try row(db)
            let claims = try Claims(service, db)
            return try claims.by(id) + claims.against(id)
        }
    }

    /// Refuses all claims on an address of this account, with a code that was mailed to that address
    /// (`requestVerification(of:for:pass:)` for ``CodePurpose/refuseClaim``).
    ///
    /// For 30 days, a claimant who was refused cannot claim the address again, and no claim by anybody moves it without the
    /// operator.
    ///
    /// - Returns: The claims that were refused.
    /// - Throws: ``KinfolkError/Code/unknownItem`` if the account does not have the address, no valid code was requested or no
    ///   claim is open, ``KinfolkError/Code/permissionFailure`` if the code is wrong, ``KinfolkError/Code/limitExceeded`` if it
    ///   was tried five times.
    public func refuseClaims(on email: EmailAddress, code: String) throws(KinfolkError) -> [EmailClaim] {
        try presenting(code, for: email, .refuseClaim) { address, db in
            try Claims(service, db).refuse(address.open(with: service.keys(db)), by: id)
        }
    }

    /// Makes an address of the account verified if no other account has it verified or if a claim on it is completed. Otherwise
    /// returns the claim.
    package func prove(_ address: EmailTable.Row, _ db: Connection) throws -> EmailVerification {
        let keys = try service.keys(db)
        let opened = try address.open(with: keys)
        let tags = keys.tags(of: opened.hash)
        let owner = try EmailTable.owner(of: tags, db)
        if owner == id { return .verified }
        if let owner, let claim = try Claims(service, db).prove(opened, by: id, against: owner) { return .claim(claim) }
        try changing(db) { rows in try own(address.tag, tags, from: owner, &rows, db) }
        return .verified
    }
}
