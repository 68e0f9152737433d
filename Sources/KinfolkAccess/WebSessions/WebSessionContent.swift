import KinfolkCrypto
import KinfolkModel

/// What the store keeps sealed of a web session or a sign-in code. All that decides is in here: the columns of the row repeat some of it
/// for searches.
struct WebSessionContent: Equatable {
    /// Of the current token; nil while the code is not redeemed.
    var tokenTag: Tag?
    /// Of the token before it.
    var previousTag: Tag?
    /// Until when that token is valid.
    var previousUntil: Timestamp?
    /// Of the code; nil if there was none.
    var codeTag: Tag?
    var expiresAt: Timestamp
    let apiTokenTag: Tag
    let apiTokenName: String
    let isLasting: Bool
    let createdAt: Timestamp
    /// When the person last proved who they are.
    let signedInAt: Timestamp
    /// When the current token was made.
    var renewedAt: Timestamp
    /// Of the code: the SHA-256 of its verifier (RFC 7636, section 4.2).
    var challenge: [UInt8]?
    /// Of the code: to which URL the sign-in returned.
    var returnURL: String?

    init(apiToken: APIToken, isLasting: Bool, signedInAt: Timestamp, at now: Timestamp, until end: Timestamp) {
        apiTokenTag = apiToken.tag
        apiTokenName = apiToken.name
        self.isLasting = isLasting
        self.signedInAt = signedInAt
        (createdAt, renewedAt) = (now, now)
        expiresAt = end
    }

    var bytes: [UInt8] {
        var fields = Fields()
        if let tokenTag { fields["tokenTag"] = .bytes(tokenTag.bytes) }
        if let previousTag { fields["previousTag"] = .bytes(previousTag.bytes) }
        if let previousUntil { fields["previousUntil"] = .date(previousUntil) }
        if let codeTag { fields["codeTag"] = .bytes(codeTag.bytes) }
        fields["expiresAt"] = .date(expiresAt)
        fields["apiTokenTag"] = .bytes(apiTokenTag.bytes)
        fields["apiTokenName"] = .string(apiTokenName)
        fields["isLasting"] = .boolean(isLasting)
        fields["createdAt"] = .date(createdAt)
        fields["signedInAt"] = .date(signedInAt)
        fields["renewedAt"] = .date(renewedAt)
        if let challenge { fields["challenge"] = .bytes(challenge) }
        if let returnURL { fields["returnURL"] = .string(returnURL) }
        return FieldWriter(fields).bytes
    }

    init(_ bytes: [UInt8]) throws {
        let content = try SealedContent(bytes)
        func tag(_ name: String) throws -> Tag {
            guard let tag = try content.bytes(name).withUnsafeBytes(Tag.init) else { throw SealedContent.malformed }
            return tag
        }
        tokenTag = try content.optional("tokenTag", tag)
        previousTag = try content.optional("previousTag", tag)
        previousUntil = try content.optional("previousUntil", content.moment)
        codeTag = try content.optional("codeTag", tag)
        expiresAt = try content.moment("expiresAt")
        apiTokenTag = try tag("apiTokenTag")
        apiTokenName = try content.text("apiTokenName")
        isLasting = try content.boolean("isLasting")
        createdAt = try content.moment("createdAt")
        signedInAt = try content.moment("signedInAt")
        renewedAt = try content.moment("renewedAt")
        challenge = try content.optional("challenge", content.bytes)
        returnURL = try content.optional("returnURL", content.text)
    }

    /// Whether it has not expired. A session of the future has: the clock was ahead and went back, and the session would be valid too long.
    func isCurrent(at now: Timestamp) -> Bool {
        now < expiresAt && renewedAt <= now.adding(seconds: WebSessionTimes.clockDifference)
    }

    /// Gives the session a token: its first one, or one that replaces the current one.
    mutating func give(_ token: Tag, at now: Timestamp) {
        if let tokenTag {
            previousTag = tokenTag
            previousUntil = now.adding(seconds: WebSessionTimes.previousToken)
        }
        tokenTag = token
        renewedAt = now
        expiresAt = now.adding(seconds: WebSessionTimes.lifetime(isLasting: isLasting))
    }
}
