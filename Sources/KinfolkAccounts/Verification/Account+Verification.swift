public import KinfolkContacts
import KinfolkCore
import KinfolkCrypto
public import KinfolkModel
package import KinfolkStorage

extension Account {
    /// How many codes an account may request in 24 hours, for one address and for all of them.
    private static let codesForAnAddress = 5
    private static let codesForAll = Int(VerificationTable.kept)

    /// Requests a mail with a code. Presenting the code proves that the person reads the mails of this address.
    ///
    /// A code has 40 random bits, works only for this account, address and purpose, is valid for 10 minutes and 5 tries, and
    /// replaces the previous one. An address gets 5 mails in 24 hours, whichever accounts request them. If other accounts have
    /// used them up, the result is nil: show the same page as if a mail had been sent. Any code then counts as wrong, so the
    /// person who asked cannot tell what other accounts do.
    ///
    /// Each mail also holds a pass. A request with the pass of an earlier mail returns another mail, which does not count against the
    /// 5. So nobody can lock out the person who reads the mails.
    ///
    /// ```swift
    /// let email = try EmailAddress("ada@example.com")
    /// if let mail = try account.requestVerification(of: email, for: .addEmail) {
    ///     send("Your code is \(mail.code). If you get no code next time, enter the pass \(mail.pass).", mail.recipient)
    /// }
    /// // Always show the same page. Later, with the text that the person entered:
    /// switch try account.verifyEmail(email, code: entered) {
    /// case .verified: break
    /// case .claim(let claim): print("claim \(claim.id)")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - email: An address of the account.
    ///   - purpose: What the code is for: ``CodePurpose/addEmail`` for an address that the account does not have verified,
    ///     ``CodePurpose/signIn`` and ``CodePurpose/refuseClaim`` for one that it has.
    ///   - pass: The pass of an earlier mail to this address. A pass that is wrong, used or older than 24 hours is ignored.
    /// - Returns: What to mail, and where to; nil if no mail may be sent.
    /// - Throws: ``KinfolkError/Code/unknownItem`` if the account does not have the address, or if there is no claim to refuse,
    ///   ``KinfolkError/Code/conflict`` if the address is already verified and the purpose is to add it, or is not verified and the
    ///   purpose is another,
    ///   ``KinfolkError/Code/requestRateLimited`` if this account made 5 requests for the address in the last 24 hours, or 20
    ///   for all its addresses.
    public func requestVerification(
        of email: EmailAddress,
        for purpose: CodePurpose = .addEmail,
        pass: String? = nil
    ) throws(KinfolkError) -> VerificationMail? {
        let (mail, refusal) = try service.write { db in
            try AccountRows.askAhead(id, db)
            return try requestVerification(of: email, for: purpose, pass: pass, db)
        }
        if let refusal { throw refusal }
        return mail
    }

    /// A refusal is returned and not thrown, because the corrected dates must be committed.
    package func requestVerification(
        of email: EmailAddress,
        for purpose: CodePurpose,
        pass: String?,
        _ db: Connection
    ) throws -> (VerificationMail?, refusal: KinfolkError?) {
        _ = try row(db)
        let tags = try service.tags(of: email, db)
        try check(self.email(tags, db), tags, purpose, db)
        let now = service.steadyClock()
        try VerificationTable.date(issuedAfter: now, db)
        try VerificationTable.deleteIssued(before: now.adding(seconds: -MailBudget.day), db)
        var request = try CodeRequest(email, pass: pass, service, db)
        if !request.hasPass, let wait = try ownWait(tags, at: now, db) {
            return (nil, Account.tooManyRequests(retryAfter: wait))
        }
        let (mail, stored) = try request.make(purpose, of: id, db)
        try VerificationTable.insert(stored, for: tags[0], purpose, of: id, at: now, db)
        return (mail, nil)
    }

    /// Proves an address with the code that was mailed to it.
    ///
    /// If no other account has the address verified, it is now verified for this account. Otherwise the proof opens a claim, or
    /// completes the claim that this account made before: see ``EmailClaim``.
    ///
    /// - Throws: ``KinfolkError/Code/unknownItem`` if the account does not have the address or no valid code was requested,
    ///   ``KinfolkError/Code/permissionFailure`` if the code is wrong, ``KinfolkError/Code/limitExceeded`` if it was tried five
    ///   times, or if a claim would be one of more than 20 on the address or 100 of the account.
    public func verifyEmail(_ email: EmailAddress, code: String) throws(KinfolkError) -> EmailVerification {
        try presenting(code, for: email, .addEmail) { address, db in try prove(address, db) }
    }

    /// Signs a person in: the code was mailed to an address that this account has verified.
    ///
    /// - Throws: The same errors as `verifyEmail(_:code:)`.
    public func confirmSignIn(_ email: EmailAddress, code: String) throws(KinfolkError) {
        try presenting(code, for: email, .signIn) { _, _ in }
    }

    /// Checks a code, and runs `body` if it is right.
    func presenting<Result>(
        _ code: String,
        for email: EmailAddress,
        _ purpose: CodePurpose,
        _ body: (EmailTable.Row, Connection) throws -> Result
    ) throws(KinfolkError) -> Result {
        // A wrong code is returned and not thrown here, because the try that it cost must be committed.
        let (result, refusal): (Result?, KinfolkError?) = try service.write { db in
            try AccountRows.askAhead(id, db)
            _ = try row(db)
            let tags = try service.tags(of: email, db)
            let address = try self.email(tags, db)
            if let refusal = try self.refusal(of: code, for: email, tags, purpose, db) { return (nil, refusal) }
            for tag in tags { try VerificationTable.exhaust(for: tag, purpose, of: id, db) }
            guard address.isVerified || purpose == .addEmail else { return (nil, MailedCode.none) }
            return (try body(address, db), nil)
        }
        if let refusal { throw refusal }
        guard let result else { throw MailedCode.none }
        service.watcher.stir()
        return result
    }

    private func refusal(
        of code: String,
        for email: EmailAddress,
        _ tags: [Tag],
        _ purpose: CodePurpose,
        _ db: Connection
    ) throws -> KinfolkError? {
        let newest = try VerificationTable.all(of: id, for: tags, db).last { $0.purpose == Int64(purpose.rawValue) }
        guard let newest else { return MailedCode.none }
        let stored = MailedCode(tag: newest.codeTag, tries: newest.tries, issuedAt: newest.issuedAt)
        if let refusal = stored.refusal(at: service.steadyClock()) { return refusal }
        try VerificationTable.countTry(newest, of: id, db)
        return try stored.refusal(of: code, for: email, purpose, of: id, service.keys(db))
    }

    private func check(_ address: EmailTable.Row, _ tags: [Tag], _ purpose: CodePurpose, _ db: Connection) throws {
        switch (purpose, address.isVerified) {
        case (.addEmail, true):
            throw KinfolkError(.conflict, "The account has this address verified already.")
        case (.signIn, false), (.refuseClaim, false):
            throw KinfolkError(.conflict, "The account does not have this address verified.")
        case (.refuseClaim, true):
            guard try Claims(service, db).hasOpen(against: id, tags) else { throw Claims.none }
        case (.addEmail, false), (.signIn, true): break
        }
    }

    /// How many seconds this account has to wait because of its own requests; nil if it may request a code now.
    private func ownWait(_ tags: [Tag], at now: Timestamp, _ db: Connection) throws -> Double? {
        let all = try VerificationTable.all(of: id, db)
        let tags = tags.map(\.bytes)
        let here = all.filter { tags.contains($0.tag) }
        let waits = [(all, Account.codesForAll), (here, Account.codesForAnAddress)].compactMap { requests, limit in
            requests.dropLast(limit - 1).last.map { MailBudget.day - now.seconds(since: $0.issuedAt) }
        }
        return waits.max().map { min(max($0, 1), MailBudget.day) }
    }

    private static func tooManyRequests(retryAfter: Double) -> KinfolkError {
        KinfolkError(
            .requestRateLimited,
            "An account may request \(codesForAnAddress) codes for an address in 24 hours, and \(codesForAll) in all.",
            retryAfter: retryAfter
        )
    }
}
