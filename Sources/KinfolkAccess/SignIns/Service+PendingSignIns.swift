package import KinfolkAccounts
package import KinfolkContacts
package import KinfolkCore
import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage

extension Service {
    /// Requests a mail with a code for an address that no account has.
    ///
    /// - Parameters:
    ///   - id: The ID that the account gets if the code is entered.
    ///   - pass: The pass from an earlier mail, or an empty text.
    ///   - isFirst: Whether this was the first request of the sign-in. If another one has run before it, it does nothing, because it would
    ///     replace the newer code.
    /// - Returns: Nil if no mail may be sent. Then nothing is kept.
    package func requestPendingSignIn(
        _ id: AccountID,
        _ email: EmailAddress,
        pass: String,
        isFirst: Bool,
        until end: Timestamp,
        _ db: Connection
    ) throws -> VerificationMail? {
        if isFirst, try PendingSignInTable.code(of: id, db) != nil { return nil }
        var request = try CodeRequest(email, pass: pass, self, db)
        let (mail, stored) = try request.make(.addEmail, of: id, db)
        guard mail != nil else { return nil }
        let code = MailedCode(tag: stored, tries: 0, issuedAt: steadyClock())
        try PendingSignInTable.set(code, of: id, until: end, db)
        return mail
    }

    /// Notes a sign-in by an address that an account has, as if none had it: no code is right for it. So a wrong code costs the same in both
    /// cases.
    package func pretendPendingSignIn(_ id: AccountID, until end: Timestamp, _ db: Connection) throws {
        let code = MailedCode(tag: SecureRandom.bytes(Tag.length), tries: 0, issuedAt: steadyClock())
        try PendingSignInTable.set(code, of: id, until: end, db)
    }

    /// Makes the account whose address the code proves.
    ///
    /// - Throws: ``KinfolkError/Code/unknownItem`` if no valid code was requested, ``KinfolkError/Code/permissionFailure`` if it is wrong,
    ///   ``KinfolkError/Code/limitExceeded`` if it was tried five times, ``KinfolkError/Code/conflict`` if an account has the address
    ///   meanwhile.
    package func completePendingSignIn(
        _ id: AccountID,
        _ email: EmailAddress,
        spelling: String,
        code text: String
    ) throws(KinfolkError) -> Account {
        // A wrong code is returned and not thrown here, because the try that it cost must be committed.
        let (account, refusal): (Account?, KinfolkError?) = try write { db in
            guard let code = try PendingSignInTable.code(of: id, db) else { return (nil, MailedCode.none) }
            if let refusal = code.refusal(at: steadyClock()) { return (nil, refusal) }
            try PendingSignInTable.countTry(of: id, db)
            if let refusal = code.refusal(of: text, for: email, .addEmail, of: id, try keys(db)) {
                return (nil, refusal)
            }
            guard try owner(of: tags(of: email, db), db) == nil else {
                throw KinfolkError(.conflict, "Another account has proved the address meanwhile.")
            }
            try PendingSignInTable.delete(id, db)
            let account = try createAccount(id, name: PersonName(), db)
            _ = try account.addEmail(email, spelling: spelling, verified: true, db)
            return (account, nil)
        }
        if let refusal { throw refusal }
        guard let account else { throw MailedCode.none }
        return account
    }
}
