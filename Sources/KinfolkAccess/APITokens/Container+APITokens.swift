public import KinfolkAccounts
import KinfolkCore
package import KinfolkCrypto
public import KinfolkModel
import KinfolkStorage

extension Container {
    /// Creates a token by which an application calls the network service. It is valid for this environment of this container.
    ///
    /// ```swift
    /// let (token, _) = try container.createAPIToken(named: "web", origins: ["https://app.example.com"])
    /// print(token)  // 64 digits, which nothing shows again
    /// ```
    ///
    /// - Parameters:
    ///   - name: A name for the operator, 1 to 255 bytes. No other token of the container has it.
    ///   - origins: The origins of the pages that may use the token in a browser, exactly as browsers send them, at most 20.
    ///   - returnURLs: The URLs to which a sign-in may return, compared exactly, at most 20 of at most 2,048 bytes.
    ///   - allowsDiscovery: Whether its users may look for other users.
    /// - Returns: The token, which is stored only as a hash, and its description.
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if an argument is malformed, ``KinfolkError/Code/conflict`` if there is a token with
    ///   this name, ``KinfolkError/Code/limitExceeded`` if there are more than 20 origins or URLs, or the container has 100 tokens.
    public func createAPIToken(
        named name: String,
        origins: [String] = [],
        returnURLs: [String] = [],
        allowsDiscovery: Bool = false
    ) throws(KinfolkError) -> (token: String, description: APIToken) {
        try AccessName.validate(name)
        guard max(origins.count, returnURLs.count) <= Container.addressesOfToken else {
            throw KinfolkError(
                .limitExceeded,
                "A token has at most \(Container.addressesOfToken) origins and as many return URLs."
            )
        }
        for origin in origins { try WebOrigin.validate(origin) }
        for url in returnURLs { try ReturnURL.validate(url) }
        let secret = RandomToken.make()
        let token = APIToken(
            tag: secret.tag(.api),
            name: name,
            origins: origins,
            returnURLs: returnURLs,
            allowsDiscovery: allowsDiscovery,
            createdAt: service.clock()
        )
        try service.write { db in
            try requireInUse(db)
            let keys = try service.keys(db)
            let known = try APITokenTable.all(in: number, keys, db)
            guard !known.contains(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
                throw KinfolkError(.conflict, "The container has an API token with this name.")
            }
            guard known.count < APITokenTable.limit else {
                throw KinfolkError(.limitExceeded, "A container has at most \(APITokenTable.limit) API tokens.")
            }
            try APITokenTable.insert(token, in: number, keys, db)
        }
        return (Hexadecimal.text(secret.bytes), token)
    }

    /// The most origins of a token, and the most return URLs.
    private static let addressesOfToken = 20

    /// The API tokens of the container, in the order of their names.
    public func apiTokens() throws(KinfolkError) -> [APIToken] {
        try service.read { db in
            try requireInUse(db)
            return try APITokenTable.all(in: number, service.keys(db), db)
        }
    }

    /// Deletes an API token, and ends all web sessions that were begun with it.
    ///
    /// - Throws: ``KinfolkError/Code/unknownItem`` if the container has no token with this name.
    public func deleteAPIToken(named name: String) throws(KinfolkError) {
        try service.write(isLarge: true) { db in
            try requireInUse(db)
            let keys = try service.keys(db)
            let tokens = try APITokenTable.all(in: number, keys, db)
            guard let token = tokens.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
                throw KinfolkError(.unknownItem, "The container has no API token with this name.")
            }
            try APITokenTable.delete(token.tag, in: number, db)
            try WebSessionTable.deleteAll(through: token.tag, in: number, db)
        }
    }

    /// The API token with this secret text; nil if it is malformed, unknown, or of another container or environment.
    package func apiToken(_ text: String) throws(KinfolkError) -> APIToken? {
        guard let tag = RandomToken(Hexadecimal.bytes(text.utf8))?.tag(.api) else { return nil }
        return try apiToken(tag)
    }

    /// The API token with this hash; nil if it was deleted.
    package func apiToken(_ tag: Tag) throws(KinfolkError) -> APIToken? {
        try service.read { db in
            let seen = try Known.of(db)?.notes(SeenAPITokens.self)
            if let token = seen?.token(tag, in: number) { return token }
            try requireInUse(db)
            let token = try APITokenTable.token(tag, in: number, service.keys(db), db)
            if let token { seen?.note(token, in: number) }
            return token
        }
    }
}
