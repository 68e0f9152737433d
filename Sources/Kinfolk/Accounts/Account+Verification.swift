import KinfolkCrypto
import KinfolkStorage

extension Account {
    private static let validFor = 600.0
    private static let maximumTries = 5
    private static let codesADay = 5
    private static let day = 86_400.0

    /// Issues a code of six digits for an address of the account, which the host mails to it.
    ///
    /// It is valid for 10 minutes and 5 tries, and takes the place of the one before.
    ///
    /// - Throws: ``KinfolkError/Code/unknownItem`` if the account does not have the address,
    ///   ``KinfolkError/Code/conflict`` if it has it verified already,
    ///   ``KinfolkError/Code/requestRateLimited`` if five codes were issued for the address in the last 24 hours.
    public func requestVerification(of email: EmailAddress) throws(KinfolkError) -> String {
        let tag = service.tag(of: email)
        let digits = String(SecureRandom.number(below: 1_000_000))
        let code = String(repeating: "0", count: 6 - digits.count) + digits
        try service.write { db in
            _ = try row(db)
            guard try !self.email(tag, db).isVerified else {
                throw KinfolkError(.conflict, "The account has this address verified already.")
            }
            let now = service.clock()
            let dayAgo = Timestamp(microseconds: now.microseconds &- Int64(Account.day * 1_000_000))
            try VerificationTable.deleteIssued(before: dayAgo, db)
            let issued = try VerificationTable.issuedAt(for: tag, db)
            guard issued.count < Account.codesADay else {
                let wait = issued.first.map { Account.day - now.seconds(since: $0) } ?? Account.day
                throw KinfolkError(
                    .requestRateLimited,
                    "An address gets \(Account.codesADay) codes in 24 hours.",
                    retryAfter: min(max(wait, 1), Account.day)
                )
            }
            try VerificationTable.insert(codeTag(code, for: tag), for: tag, of: id, at: now, db)
        }
        return code
    }

    /// Verifies an address with the code that was mailed to it: from then on it counts, and an account that had it loses it.
    ///
    /// - Throws: ``KinfolkError/Code/unknownItem`` if the account does not have the address or no valid code was issued,
    ///   ``KinfolkError/Code/permissionFailure`` if this is not the code,
    ///   ``KinfolkError/Code/limitExceeded`` if it was tried five times.
    public func verifyEmail(_ email: EmailAddress, code: String) throws(KinfolkError) {
        let tag = service.tag(of: email)
        // A wrong code is a result here and not an error, because the try that it cost must be kept.
        let refusal: KinfolkError? = try service.write { db in
            _ = try row(db)
            _ = try self.email(tag, db)
            let issued = try VerificationTable.newest(for: tag, of: id, db)
            guard let issued, service.clock().seconds(since: issued.issuedAt) < Account.validFor,
                !issued.codeTag.isEmpty
            else { return KinfolkError(.unknownItem, "There is no valid code for this address. Issue another.") }
            guard issued.tries < Account.maximumTries else {
                return KinfolkError(.limitExceeded, "The code was tried \(Account.maximumTries) times. Issue another.")
            }
            try VerificationTable.countTry(issued.number, for: tag, db)
            guard ConstantTime.equal(codeTag(code, for: tag).bytes, issued.codeTag) else {
                return KinfolkError(.permissionFailure, "This is not the code.")
            }
            try VerificationTable.exhaust(for: tag, of: id, db)
            try changing(db) { try own(tag, db) }
            return nil
        }
        if let refusal { throw refusal }
        service.watcher.stir()
    }

    /// The code's hash is bound to the address and the account, so that it is worth nothing elsewhere.
    private func codeTag(_ code: String, for tag: Tag) -> Tag {
        service.keys.codes.tag(tag.bytes + id.value.bytes + Array(code.utf8))
    }
}
