import Kinfolk
import KinfolkCrypto

/// The steps of a sign-in: address, code, name, consent, and back to the application.
struct SignInSteps {
    let request: SignInRequest
    /// Nil if the person wants to manage the account.
    let link: SignInLink?
    var flow: SignInFlow

    private var services: WebServices { request.services }
    private var service: Service { services.service }
    private var application: String? { link?.token.name }
    private var hasMail: Bool { services.configuration.sendMail != nil }

    /// The path of the pages. A step of an identity has another one.
    var path: String { flow.path }

    private func place() throws(KinfolkError) -> PagePlace {
        let text = try flow.text(service)
        return PagePlace(url: SignInSteps.url(text, path), action: path, flow: text, isOpened: flow.origin != nil)
    }

    /// Where the flow goes on, such as in another language.
    private static func url(_ flow: String, _ path: String) -> String { PageURL.adding("flow", flow, to: path) }

    private func show(_ page: some Page) -> WebResponse { page.response(request.language) }

    // MARK: Address

    func start() throws(KinfolkError) -> WebResponse { try emailPage() }

    /// Shows the step to which the flow has come.
    func resume() throws(KinfolkError) -> WebResponse {
        if let account = try flow.provedAccount(service) { return try goOn(account) }
        guard flow.account == nil else {
            // The sign-in has ended: whoever finds its URL on a shared computer learns no address.
            var other = self
            other.flow.email = ""
            return try other.emailPage()
        }
        return flow.email.isEmpty ? try emailPage() : try codePage()
    }

    private func emailPage(_ problem: EmailPage.Problem? = nil) throws(KinfolkError) -> WebResponse {
        let place = try place()
        // Who has proved an identity needs no other one: the address is missing.
        let links = flow.identity == nil ? IdentityRequest.links(place.flow, for: request.head, services) : []
        return show(
            EmailPage(
                place,
                application: application,
                email: flow.email,
                keep: flow.isLasting,
                hasMail: hasMail,
                providers: links,
                problem: problem
            )
        )
    }

    func answer() throws(KinfolkError) -> WebResponse {
        let step = PageStep(rawValue: request.form["step"])
        if link == nil, step != .names, step != .linkIdentity, let account = try flow.provedAccount(service) {
            return try AccountSteps(request: request, flow: flow, account: account).answer()
        }
        switch step {
        case .address: return try takeAddress()
        case .code: return try takeCode()
        case .anotherCode: return try sendAnotherCode()
        case .linkIdentity: return try takeLink()
        case .names: return try takeNames()
        case .consent: return try takeConsent()
        default: return rejection
        }
    }

    private func takeAddress() throws(KinfolkError) -> WebResponse {
        var steps = self
        steps.flow.email = request.form["email"]
        // The identity may be that of the person before.
        let isSamePerson = flow.account == nil && (address() == nil || address() == steps.address())
        if !isSamePerson { steps.flow.forgetIdentity() }
        steps.flow.isLasting = request.form["keep"] == "yes"
        // A form may be sent again with another address: no account gets two that nobody has proved.
        steps.flow.newAccount = AccountID(.make())
        (steps.flow.account, steps.flow.provedAt, steps.flow.signIn) = (nil, nil, nil)
        guard !steps.flow.email.isEmpty else { return try steps.emailPage(.missing) }
        guard let email = steps.address() else { return try steps.emailPage(.invalid) }
        guard services.postman.hasRoom else { return try steps.emailPage(.notSent) }
        if let minutes = services.limiters.countMail(for: request.head) {
            return try steps.emailPage(.tooManyCodes(minutes: minutes))
        }
        return try steps.codePage(mailingTo: email)
    }

    private func address() -> EmailAddress? { try? EmailAddress(flow.email) }

    /// The page, and then a mail with a code: neither the page nor its time shows whether an account has the address.
    private func codePage(mailingTo email: EmailAddress, pass: String = "", sentAgain: Bool = false)
        throws(KinfolkError)
        -> WebResponse
    {
        var page = try codePage(sentAgain: sentAgain)
        let mailing = CodeMailing(
            services: services,
            email: email,
            newAccount: flow.newAccount,
            isFirst: !sentAgain,
            pass: pass,
            application: application ?? services.name,
            language: request.language
        )
        page.whenSent = { [services] in services.postman.run { mailing.run() } }
        return page
    }

    // MARK: Code

    private func codePage(_ problem: CodePage.Problem? = nil, sentAgain: Bool = false) throws(KinfolkError)
        -> WebResponse
    {
        var other = flow
        other.email = ""
        other.forgetIdentity()
        return show(
            CodePage(
                try place(),
                .signIn(application: application),
                address: flow.email,
                otherAddressURL: SignInSteps.url(try other.text(service), path),
                wasSentAgain: sentAgain,
                problem: problem
            )
        )
    }

    private func sendAnotherCode() throws(KinfolkError) -> WebResponse {
        guard let email = address() else { return try emailPage(.invalid) }
        guard services.postman.hasRoom else { return try codePage(.notSent) }
        if let minutes = services.limiters.countMail(for: request.head) {
            return try codePage(.tooManyCodes(minutes: minutes))
        }
        return try codePage(mailingTo: email, pass: request.form["pass"], sentAgain: true)
    }

    private func takeCode() throws(KinfolkError) -> WebResponse {
        guard let email = address() else { return try emailPage(.invalid) }
        let code = request.form["code"]
        guard !code.isEmpty else { return try codePage(.missing) }
        if let refusal = request.countTry() { return refusal }
        let account: Account
        do throws(KinfolkError) { account = try prove(email, code) } catch {
            switch error.code {
            // The same for each of these, because some of them happen only to addresses that an account has.
            case .permissionFailure, .limitExceeded, .unknownItem, .conflict: return try codePage(.wrong)
            default: throw error
            }
        }
        return try signedIn(account)
    }

    /// Goes on with an account whose owner the person has proved to be.
    private func signedIn(_ account: Account) throws(KinfolkError) -> WebResponse {
        guard try !account.isSuspended() else { return request.error(.accountSuspended) }
        var steps = self
        (steps.flow.account, steps.flow.provedAt) = (account.id, service.clock())
        steps.flow.signIn = try account.beginSignIn(to: link?.container, until: flow.expires)
        return try steps.goOn(account)
    }

    /// The account whose address the code proves.
    private func prove(_ email: EmailAddress, _ code: String) throws(KinfolkError) -> Account {
        guard let account = try CodeMailing.account(of: email, service) else {
            return try service.completePendingSignIn(flow.newAccount, email, spelling: flow.email, code: code)
        }
        // A code is accepted from the browser that asked for it. Others cannot use up its tries.
        guard try account.expectsCode(from: flow.newAccount.value) else {
            // The same work as for an address without an account, and never right.
            return try service.completePendingSignIn(flow.newAccount, email, spelling: flow.email, code: code)
        }
        try account.confirmSignIn(email, code: code)
        return account
    }

    // MARK: Identities

    /// Goes on with an identity that a provider or a proxy has proved.
    ///
    /// The identity becomes one of an existing account only after a sign-in to that account, and if the person wants it.
    func goOn(with identity: ProvedIdentity) throws(KinfolkError) -> WebResponse {
        if let account = try account(with: identity) { return try signedIn(account) }
        var steps = self
        // The other one may exist already, with an address that was entered before.
        steps.flow.newAccount = AccountID(.make())
        let email = identity.trustedEmail.flatMap { try? EmailAddress($0) }
        let isNew = if let email { try CodeMailing.account(of: email, service) == nil } else { !hasMail }
        if isNew { return try steps.begin(identity, email) }
        guard hasMail else {
            return request.error(.providerFailed(name: providerName(identity.issuer, identity.subject)), startURL: path)
        }
        steps.flow.take(identity, at: service.clock())
        // The address is asked for, because without one nobody finds the person, and an account may exist already.
        guard let email, let spelling = identity.trustedEmail else { return try steps.emailPage() }
        steps.flow.email = spelling
        guard services.postman.hasRoom else { return try steps.codePage(.notSent) }
        if let minutes = services.limiters.countMail(for: request.head) {
            return try steps.codePage(.tooManyCodes(minutes: minutes))
        }
        return try steps.codePage(mailingTo: email)
    }

    private func providerName(_ issuer: String, _ subject: String) -> String {
        services.configuration.providers.first { $0.issuer == issuer }?.name ?? subject
    }

    private func account(with identity: ProvedIdentity) throws(KinfolkError) -> Account? {
        do throws(KinfolkError) { return try service.account(issuer: identity.issuer, subject: identity.subject) } catch
            where error.code == .unknownItem || error.code == .invalidArgument
        { return nil }
    }

    /// Goes on with a new account that has the identity, and perhaps an address that a trusted provider has proved.
    private func begin(_ identity: ProvedIdentity, _ email: EmailAddress?) throws(KinfolkError) -> WebResponse {
        let account = try service.write { db in
            let account = try service.createAccount(flow.newAccount, name: PersonName(), db)
            if let email, let spelling = identity.trustedEmail {
                _ = try account.addEmail(email, spelling: spelling, verified: true, db)
            }
            try account.addIdentity(issuer: identity.issuer, subject: identity.subject, db)
            return account
        }
        var steps = self
        (steps.flow.proof, steps.flow.name) = (nil, identity.name)
        return try steps.signedIn(account)
    }

    private func linkPage(_ identity: SignInFlow.Identity) throws(KinfolkError) -> WebResponse {
        let provider = providerName(identity.issuer, identity.subject)
        return show(LinkIdentityPage(try place(), provider: provider, person: identity.person))
    }

    private func takeLink() throws(KinfolkError) -> WebResponse {
        guard let account = try flow.provedAccount(service), let identity = flow.identity, let provedAt = flow.provedAt,
            service.clock().seconds(since: provedAt) < SignInFlow.Identity.validity
        else { return rejection }
        var steps = self
        switch request.form["link"] {
        case "yes":
            try link(identity, to: account)
            steps.flow.identity = nil
        case "no": steps.flow.forgetIdentity()
        default: return rejection
        }
        return try steps.goOn(account)
    }

    private func link(_ identity: SignInFlow.Identity, to account: Account) throws(KinfolkError) {
        do throws(KinfolkError) { try account.addIdentity(issuer: identity.issuer, subject: identity.subject) } catch {
            // The person signs in all the same: another account has the identity meanwhile, or this one has enough.
            guard error.code == .conflict || error.code == .limitExceeded else { throw error }
            return
        }
        let provider = providerName(identity.issuer, identity.subject)
        for email in try account.emails() where email.isVerified {
            let recipient = try EmailAddress(email.spelling).canonical
            let notice = services.notice(of: .identity(provider: provider, person: identity.person), to: recipient)
            let language = request.language
            services.postman.run { [services] in _ = services.configuration.sendMail?(notice.mail(language)) }
        }
    }

    // MARK: Name and consent

    private var rejection: WebResponse { request.error(.formRejected, startURL: path) }

    /// What the person is asked next.
    private func goOn(_ account: Account, hasBeenAsked: Bool = false) throws(KinfolkError) -> WebResponse {
        if let identity = flow.identity { return try linkPage(identity) }
        if !hasBeenAsked, account.id == flow.newAccount, try account.name() == PersonName() {
            let name = flow.name
            return show(NewAccountPage(try place(), givenName: name.givenName, familyName: name.familyName))
        }
        guard let link else { return try AccountSteps(request: request, flow: flow, account: account).show() }
        if let words = services.configuration.wordings[link.container.name],
            try link.container.session(for: account).discoverability() == .undetermined
        {
            return show(ConsentPage(try place(), application: link.token.name, words, request.language))
        }
        return try finish(account, link)
    }

    private func takeNames() throws(KinfolkError) -> WebResponse {
        guard let account = try flow.provedAccount(service) else { return rejection }
        let (given, family) = (request.form["given"], request.form["family"])
        let isTooLong = [given, family].map { $0.utf8.count > PersonName.maximumLength }
        guard isTooLong == [false, false] else {
            let problem: NewAccountPage.Problem = isTooLong[0] ? .givenNameTooLong : .familyNameTooLong
            return show(NewAccountPage(try place(), givenName: given, familyName: family, problem: problem))
        }
        try account.setName(PersonName(givenName: given, familyName: family))
        return try goOn(account, hasBeenAsked: true)
    }

    private func takeConsent() throws(KinfolkError) -> WebResponse {
        guard let account = try flow.provedAccount(service), let link, let decision = request.decision,
            let wording = services.configuration.wordings[link.container.name]?.shown(request.form["wording"])
        else { return rejection }
        try link.container.session(for: account).setDiscoverability(decision, wording: wording)
        return try finish(account, link)
    }

    // MARK: Back to the application

    private func finish(_ account: Account, _ link: SignInLink) throws(KinfolkError) -> WebResponse {
        // One token for each proof: the same form may be sent again.
        guard let signIn = flow.signIn, try account.endSignIn(signIn) else { return rejection }
        let name = link.token.name
        guard let origin = flow.origin else {
            return show(DonePage(try place(), application: name, .back(url: try returnURL(account, link))))
        }
        let token = try webAuthToken(account, link)
        return show(DonePage(try place(), application: name, .window(token: token, origin: origin)))
    }

    private func webAuthToken(_ account: Account, _ link: SignInLink) throws(KinfolkError) -> String {
        try link.container.beginWebSession(
            for: account,
            apiToken: link.token,
            isLasting: flow.isLasting,
            signedInAt: flow.provedAt
        )
    }

    /// The return URL with a code if the application can redeem one, and else with the token, as CloudKit Web Services give it.
    private func returnURL(_ account: Account, _ link: SignInLink) throws(KinfolkError) -> String {
        var url = flow.returnURL ?? ""
        if let challenge = flow.challenge.flatMap({ Base64.bytes($0) }) {
            let code = try link.container.makeSignInCode(
                for: account,
                apiToken: link.token,
                isLasting: flow.isLasting,
                challenge: challenge,
                returnURL: flow.returnURL,
                signedInAt: flow.provedAt
            )
            url = PageURL.adding("code", code, to: url)
        } else {
            let token = try webAuthToken(account, link)
            url = PageURL.adding("ckSession", token, to: PageURL.adding("ckWebAuthToken", token, to: url))
        }
        return flow.state.map { PageURL.adding("state", $0, to: url) } ?? url
    }
}
