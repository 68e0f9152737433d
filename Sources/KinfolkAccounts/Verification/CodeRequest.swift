package import KinfolkContacts
package import KinfolkCore
import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage

/// Makes a code for an address, if the mails of the address are not used up.
package struct CodeRequest {
    private let keys: KeyRing
    private let email: EmailAddress
    private let history: AddressHistory
    private let subject: AddressHistory.Subject
    private var budget: MailBudget
    /// Whether the pass of an earlier mail was presented. It lifts all limits of requests.
    package let hasPass: Bool

    package init(_ email: EmailAddress, pass: String?, _ service: Service, _ db: Connection) throws {
        keys = try service.keys(db)
        self.email = email
        let now = service.steadyClock()
        history = AddressHistory(keys, at: now)
        subject = AddressHistory.Subject(.codes, of: email.contactHash.withUnsafeBytes { Array($0) })
        budget = MailBudget(try history.entry(of: subject, db)?.value, at: now)
        let presented = pass.flatMap { CrockfordBase32.bytes($0, count: MailedCode.passLength) } ?? []
        hasPass = budget.redeem(keys.codes.map { $0.tag(MailedCode.passText(presented, for: email)).bytes })
    }

    /// Makes the mail, and notes it.
    ///
    /// - Returns: The mail, or nil if none may be sent; and what to store, which is random without a mail: then there is no code to guess.
    package mutating func make(
        _ purpose: CodePurpose,
        of id: AccountID,
        _ db: Connection
    ) throws -> (mail: VerificationMail?, stored: [UInt8]) {
        let code = SecureRandom.bytes(MailedCode.length)
        let nextPass = SecureRandom.bytes(MailedCode.passLength)
        // The same work is done whether a mail is sent or not, so that the time does not reveal it.
        let isMailed = hasPass || budget.hasRoom
        let codeTag = keys.codes[0].tag(MailedCode.text(code, for: email, purpose, of: id)).bytes
        let passTag = keys.codes[0].tag(MailedCode.passText(nextPass, for: email)).bytes
        let nothing = SecureRandom.bytes(Tag.length)
        if isMailed { budget.spend(isFree: hasPass, pass: passTag) }
        try history.set(budget.bytes, of: subject, db)
        guard isMailed else { return (nil, nothing) }
        let mail = VerificationMail(
            recipient: email.canonical,
            code: CrockfordBase32.text(code),
            pass: CrockfordBase32.text(nextPass)
        )
        return (mail, codeTag)
    }
}
