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
        let digits = String(SecureRandom.number(below: 1_000_000))
        let code = String(repeating: "0", count: 6 - digits.count) + digits
        // A refusal is a result here, because what was dated anew must be kept.
        let refusal: KinfolkError? = try service.write { db in
            try AccountTable.askAhead(id, db)
            _ = try row(db)
            let keys = try service.keys(db)
            let tags = keys.tags(of: email)
            guard try !self.email(tags, db).isVerified else {
                throw KinfolkError(.conflict, "The account has this address verified already.")
            }
            let now = service.steadyClock()
            let dayAgo = Timestamp(microseconds: now.microseconds &- Int64(Account.day * 1_000_000))
            try VerificationTable.date(issuedAfter: now, db)
            try VerificationTable.deleteIssued(before: dayAgo, db)
            let issued = try VerificationTable.issuedAt(for: tags, db)
            guard issued.count < Account.codesADay else {
                let wait = issued.first.map { Account.day - now.seconds(since: $0) } ?? Account.day
                return KinfolkError(
                    .requestRateLimited,
                    "An address gets \(Account.codesADay) codes in 24 hours.",
                    retryAfter: min(max(wait, 1), Account.day)
                )
            }
            let codeTag = keys.codes[0].tag(codeText(code, for: email))
            try VerificationTable.insert(codeTag, for: tags[0], of: id, at: now, db)
            return nil
        }
        if let refusal { throw refusal }
        return code
    }

    /// Verifies an address with the code that was mailed to it: from then on it counts, and an account that had it loses it.
    ///
    /// - Throws: ``KinfolkError/Code/unknownItem`` if the account does not have the address or no valid code was issued,
    ///   ``KinfolkError/Code/permissionFailure`` if this is not the code,
    ///   ``KinfolkError/Code/limitExceeded`` if it was tried five times.
    public func verifyEmail(_ email: EmailAddress, code: String) throws(KinfolkError) {
        // A wrong code is a result here and not an error, because the try that it cost must be kept.
        let refusal: KinfolkError? = try service.write { db in
            try AccountTable.askAhead(id, db)
            _ = try row(db)
            let keys = try service.keys(db)
            let tags = keys.tags(of: email)
            let tag = try self.email(tags, db).tag
            let issued = try VerificationTable.newest(for: tags, of: id, db)
            guard let issued, isValid(issued) else {
                return KinfolkError(.unknownItem, "There is no valid code for this address. Issue another.")
            }
            guard issued.tries < Account.maximumTries else {
                return KinfolkError(.limitExceeded, "The code was tried \(Account.maximumTries) times. Issue another.")
            }
            try VerificationTable.countTry(issued, db)
            let text = codeText(code, for: email)
            // All of them, so that the time does not tell which one it was.
            let matches = keys.codes.map { ConstantTime.equal($0.tag(text).bytes, issued.codeTag) }
            guard matches.contains(true) else { return KinfolkError(.permissionFailure, "This is not the code.") }
            for tag in tags { try VerificationTable.exhaust(for: tag, of: id, db) }
            try changing(db) { try own(tag, tags, from: EmailTable.owner(of: tags, db), db) }
            return nil
        }
        if let refusal { throw refusal }
        service.watcher.stir()
    }

    private func isValid(_ code: VerificationTable.Row) -> Bool {
        let age = service.steadyClock().seconds(since: code.issuedAt)
        // After a restart of the machine the clock may be behind the one by which it was issued.
        return abs(age) < Account.validFor && !code.codeTag.isEmpty
    }

    /// The code's hash is bound to the address and the account, so that it is worth nothing elsewhere.
    private func codeText(_ code: String, for email: EmailAddress) -> [UInt8] {
        email.contactHash.withUnsafeBytes { Array($0) } + id.value.bytes + Array(code.utf8)
    }
}
