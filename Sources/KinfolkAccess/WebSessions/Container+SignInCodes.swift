package import KinfolkAccounts
import KinfolkCore
import KinfolkCrypto
package import KinfolkModel
import KinfolkStorage

extension Container {
    /// Makes a code that an application redeems for a web session: an authorization code of OAuth 2.0 (RFC 6749, section 4.1) with PKCE
    /// (RFC 7636). It is valid for 60 seconds, and once.
    ///
    /// - Parameters:
    ///   - account: Who signed in.
    ///   - apiToken: The application's token. The code is valid only together with it.
    ///   - isLasting: Whether the web session ends after two weeks without use, and not after half an hour.
    ///   - challenge: The SHA-256 of the verifier that the application will present, 32 bytes; nil if it presents none.
    ///   - returnURL: The URL of the API token to which the sign-in returns; nil if it returns to none.
    ///   - signedInAt: When the person proved who they are; nil for now.
    /// - Returns: The code: 43 characters that need no escaping in a URL.
    /// - Throws: The errors of `beginWebSession(for:apiToken:isLasting:signedInAt:)`, ``KinfolkError/Code/invalidArgument`` if the challenge
    ///   does not have 32 bytes, or the token does not have the URL.
    package func makeSignInCode(
        for account: Account,
        apiToken: APIToken,
        isLasting: Bool,
        challenge: [UInt8]?,
        returnURL: String?,
        signedInAt: Timestamp? = nil
    ) throws(KinfolkError) -> String {
        guard challenge.map({ $0.count == SHA256.length }) ?? true else {
            throw KinfolkError(.invalidArgument, "A challenge is a SHA-256: 32 bytes.")
        }
        guard returnURL.map({ url in apiToken.returnURLs.contains { $0.utf8.elementsEqual(url.utf8) } }) ?? true else {
            throw KinfolkError(.invalidArgument, "The API token does not have this return URL.")
        }
        let code = RandomToken.make()
        try addWebSession(of: account, apiToken, isLasting: isLasting, signedInAt: signedInAt) { content, now in
            content.codeTag = code.tag(.code)
            content.challenge = challenge
            content.returnURL = returnURL
            content.expiresAt = now.adding(seconds: WebSessionTimes.code)
        }
        return Base64.text(code.bytes, urlSafe: true)
    }

    /// Begins the web session for a sign-in code.
    ///
    /// A code can be presented once. If it is presented again, the web session that it began ends, because somebody has a copy of the code
    /// (RFC 6749, section 4.1.2). A code that is presented with the wrong verifier, API token or URL becomes invalid.
    ///
    /// - Returns: A web auth token and the web session; nil if the code is malformed, unknown, expired or used, if the verifier, the API
    ///   token or the URL are not those of the code, or if the account is suspended.
    package func redeemSignInCode(
        _ text: String,
        verifier: String?,
        apiToken: APIToken,
        returnURL: String?
    ) throws(KinfolkError) -> (webAuthToken: String, webSession: WebSession)? {
        guard let tag = RandomToken(Base64.bytes(text, urlSafe: true))?.tag(.code) else { return nil }
        let now = service.clock()
        let token = RandomToken.make()
        let session: WebSession? = try service.write { db in
            try requireInUse(db)
            let keys = try service.keys(db)
            guard var row = try WebSessionTable.row(by: .code, tag, in: number, keys, db) else { return nil }
            guard row.content.tokenTag == nil, row.content.isCurrent(at: now), row.content.apiTokenTag == apiToken.tag,
                row.content.isProved(by: verifier, returnURL: returnURL), try isInGoodStanding(row.account, db)
            else {
                try WebSessionTable.delete(row, db)
                return nil
            }
            row.content.give(token.tag(.web), at: now)
            (row.content.challenge, row.content.returnURL) = (nil, nil)
            try WebSessionTable.update(row, keys, db)
            return row.description(container: name, environment)
        }
        return session.map { (Base64.text(token.bytes), $0) }
    }

    private func isInGoodStanding(_ account: AccountID, _ db: Connection) throws -> Bool {
        guard let user = try UserTable.row(of: account, in: number, service, db) else { return false }
        return try Session(container: self, account: account, recordID: user.record).activeUser(db) != nil
    }
}

extension WebSessionContent {
    /// Whether the caller who presents a code is the one who asked for it.
    fileprivate func isProved(by verifier: String?, returnURL: String?) -> Bool {
        let isForURL =
            switch (self.returnURL, returnURL) {
            case (nil, nil): true
            case (let wanted?, let given?): wanted.utf8.elementsEqual(given.utf8)
            default: false
            }
        let isVerified =
            switch (challenge, verifier) {
            case (nil, nil): true
            case (let challenge?, let verifier?):
                WebSessionContent.isVerifier(verifier)
                    && ConstantTime.equal(SHA256.hash(of: Array(verifier.utf8)), challenge)
            // A verifier without a challenge means that somebody removed the challenge from the request (RFC 9700, section 2.1.1).
            default: false
            }
        return isForURL && isVerified
    }

    /// Whether the text has the form of a verifier (RFC 7636, section 4.1).
    private static func isVerifier(_ text: String) -> Bool {
        (43...128).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
                    || "-._~".utf8.contains(byte)
            }
    }
}
