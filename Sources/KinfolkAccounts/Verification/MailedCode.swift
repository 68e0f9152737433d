package import KinfolkContacts
package import KinfolkCore
import KinfolkCrypto
package import KinfolkModel

/// A code that was mailed, and is stored as a keyed hash.
package struct MailedCode {
    static let length = 5
    static let passLength = 10
    private static let validFor = 600.0
    private static let maximumTries: Int64 = 5

    /// Empty if the code is no longer valid.
    package let tag: [UInt8]
    package let tries: Int64
    package let issuedAt: Timestamp

    package init(tag: [UInt8], tries: Int64, issuedAt: Timestamp) {
        (self.tag, self.tries, self.issuedAt) = (tag, tries, issuedAt)
    }

    /// Why this is not a code that can be tried: nil if it can.
    ///
    /// - Parameter now: By the steady clock.
    package func refusal(at now: Timestamp) -> KinfolkError? {
        // After a restart of the machine, the clock may be behind the time at which the code was issued.
        guard !tag.isEmpty, abs(now.seconds(since: issuedAt)) < MailedCode.validFor else { return MailedCode.none }
        guard tries < MailedCode.maximumTries else {
            return KinfolkError(
                .limitExceeded,
                "The code was tried \(MailedCode.maximumTries) times. Request another."
            )
        }
        return nil
    }

    /// Why a text is not the code: nil if it is. Each call is a try, to be counted before.
    package func refusal(
        of text: String,
        for email: EmailAddress,
        _ purpose: CodePurpose,
        of id: AccountID,
        _ keys: KeyRing
    ) -> KinfolkError? {
        let code = CrockfordBase32.bytes(text, count: MailedCode.length) ?? []
        let bytes = MailedCode.text(code, for: email, purpose, of: id)
        // Compares with all keys, so that the time does not reveal which one matches.
        let matches = keys.codes.map { ConstantTime.equal($0.tag(bytes).bytes, tag) }
        return matches.contains(true) ? nil : KinfolkError(.permissionFailure, "The code is wrong.")
    }

    package static var none: KinfolkError {
        KinfolkError(.unknownItem, "There is no valid code for this address. Request another.")
    }

    /// The code's hash is bound to the purpose, the address and the account, so that it is invalid for any other.
    static func text(_ code: [UInt8], for email: EmailAddress, _ purpose: CodePurpose, of id: AccountID) -> [UInt8] {
        Array("code".utf8) + [UInt8(truncatingIfNeeded: purpose.rawValue)]
            + email.contactHash.withUnsafeBytes(Array.init)
            + id.value.bytes + code
    }

    /// A pass is bound only to the address.
    static func passText(_ pass: [UInt8], for email: EmailAddress) -> [UInt8] {
        Array("pass".utf8) + email.contactHash.withUnsafeBytes(Array.init) + pass
    }
}
