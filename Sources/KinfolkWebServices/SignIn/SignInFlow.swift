import Kinfolk
import KinfolkCore
import KinfolkCrypto
import KinfolkJSON

/// Where a sign-in stands. The browser holds it in the forms, sealed under a key of the store, so that the service keeps nothing.
struct SignInFlow: Sendable {
    /// How many seconds a person has for all of it.
    private static let validity = 1_800.0
    private static let place = SealedPlace("web", "sign_in")

    /// The ticket of the link with which it began.
    let ticket: String
    /// The hash of the cookie of the browser, so that nobody continues the sign-in of somebody else.
    let browser: String
    private(set) var expires: Timestamp
    /// Where the person goes afterwards; nil if a window waits for a message.
    var returnURL: String?
    /// The page that waits for the message.
    var origin: String?
    /// What the application gave to recognise its own sign-in (RFC 6749, section 4.1.1).
    var state: String?
    /// The PKCE challenge (RFC 7636), in base64.
    var challenge: String?
    /// What the code in the next mail is for.
    var purpose = CodePurpose.signIn
    /// Where the code is sent.
    var email = ""
    var isLasting = false
    /// The ID that a new account gets if nobody has the address.
    var newAccount: AccountID
    /// Who has proved the address, and when.
    var account: AccountID?
    var provedAt: Timestamp?
    /// The row of the store that ends with the sign-in.
    var signIn: RandomID?
    /// What the answer of an OpenID Connect provider must fit.
    var proof: Proof?
    /// An identity that was proved. When an address is proved too, the person is asked whether the account gets it.
    var identity: Identity?
    /// The name that a new account is offered.
    var name = PersonName()

    /// What only this service and the browser know of a sign-in at a provider.
    struct Proof: Sendable {
        let issuer: String
        let nonce: String
        /// The PKCE verifier.
        let verifier: String
    }

    /// An identity that is not linked yet.
    struct Identity: Sendable {
        /// For how many seconds after its proof it can be linked.
        static let validity = 600.0

        let issuer: String
        let subject: String
        /// Whom the provider names.
        let person: String
    }

    /// Takes a proved identity. The sign-in must end soon afterwards, so that nobody finds the identity in a browser.
    mutating func take(_ proved: ProvedIdentity, at now: Timestamp) {
        identity = Identity(issuer: proved.issuer, subject: proved.subject, person: proved.person)
        (proof, name) = (nil, proved.name)
        // A sign-in from before this proof does not count: another person may use the browser now.
        (account, provedAt, signIn) = (nil, nil, nil)
        expires = min(expires, now.adding(seconds: Identity.validity))
    }

    /// Forgets the identity, and what the provider said.
    mutating func forgetIdentity() { (identity, proof, name) = (nil, nil, PersonName()) }

    /// The path of the pages.
    var path: String { ticket.isEmpty ? SignInRequest.accountPath : SignInRequest.root + ticket }

    init(ticket: String, browser: String, at now: Timestamp) {
        (self.ticket, self.browser) = (ticket, browser)
        expires = now.adding(seconds: SignInFlow.validity)
        newAccount = AccountID(.make())
    }

    /// The account that the person has proved to own; nil if nobody has proved it, or the sign-in has ended.
    ///
    /// - Throws: ``KinfolkError/Code/notAuthenticated`` if the account is suspended.
    func provedAccount(_ service: Service) throws(KinfolkError) -> Account? {
        guard let id = account, let signIn else { return nil }
        let account = try service.account(id)
        guard try !account.isSuspended() else { throw KinfolkError(.notAuthenticated, "The account is suspended.") }
        return try account.isSignedIn(signIn) ? account : nil
    }

    /// The text for a form.
    func text(_ service: Service) throws(KinfolkError) -> String {
        var members: [(String, JSON)] = [
            ("ticket", .string(ticket)), ("browser", .string(browser)), ("expires", .integer(expires.microseconds)),
            ("email", .string(email)), ("purpose", .integer(Int64(purpose.rawValue))),
            ("isLasting", .boolean(isLasting)), ("newAccount", .text(newAccount)),
        ]
        for (name, text) in [
            ("returnURL", returnURL), ("origin", origin), ("state", state), ("challenge", challenge),
            ("account", account?.description), ("signIn", signIn?.hex), ("givenName", name.givenName),
            ("familyName", name.familyName),
            ("issuer", proof?.issuer), ("nonce", proof?.nonce), ("verifier", proof?.verifier),
            ("identityIssuer", identity?.issuer), ("identitySubject", identity?.subject),
            ("identityPerson", identity?.person),
        ] { if let text { members.append((name, .string(text))) } }
        if let provedAt { members.append(("provedAt", .integer(provedAt.microseconds))) }
        let bytes = JSON.object(members).bytes
        let sealed = try service.read { db in try service.keys(db).syncStates.seal(bytes, at: SignInFlow.place) }
        return Base64.text(sealed, urlSafe: true)
    }

    /// Nil if the text is not one of this service, of another browser, or too old.
    init?(_ text: String, ofBrowser browser: String, _ service: Service) throws(KinfolkError) {
        guard let sealed = Base64.bytes(text, urlSafe: true) else { return nil }
        let opened = try service.read { db in try? service.keys(db).syncStates.open(sealed, at: SignInFlow.place) }
        guard let opened, let json = try? JSONText.value(in: opened[...]), let members = try? Members(json),
            let ticket = try? members.requiredText("ticket"), let owner = try? members.requiredText("browser"),
            let expires = (try? members.integer("expires")) ?? nil,
            let newAccount = try? AccountID(members.requiredText("newAccount"))
        else { return nil }
        guard ConstantTime.equal(Array(owner.utf8), Array(browser.utf8)), service.clock().microseconds < expires else {
            return nil
        }
        (self.ticket, self.browser, self.newAccount) = (ticket, owner, newAccount)
        self.expires = Timestamp(microseconds: expires)
        func member(_ name: String) -> String? { (try? members.text(name)) ?? nil }
        (returnURL, origin, state) = (member("returnURL"), member("origin"), member("state"))
        (challenge, email) = (member("challenge"), member("email") ?? "")
        let number = ((try? members.integer("purpose")) ?? nil).flatMap { Int32(exactly: $0) }
        purpose = number.flatMap(CodePurpose.init(rawValue:)) ?? .signIn
        isLasting = ((try? members.flag("isLasting")) ?? nil) ?? false
        account = member("account").flatMap { try? AccountID($0) }
        signIn = member("signIn").flatMap(RandomID.init(hex:))
        name = PersonName(givenName: member("givenName") ?? "", familyName: member("familyName") ?? "")
        if let issuer = member("issuer"), let nonce = member("nonce"), let verifier = member("verifier") {
            proof = Proof(issuer: issuer, nonce: nonce, verifier: verifier)
        }
        if let issuer = member("identityIssuer"), let subject = member("identitySubject") {
            identity = Identity(issuer: issuer, subject: subject, person: member("identityPerson") ?? subject)
        }
        provedAt = ((try? members.integer("provedAt")) ?? nil).map(Timestamp.init(microseconds:))
    }
}
