import Kinfolk
import KinfolkCrypto

/// The page of the account, and what the person does there after a sign-in.
struct AccountSteps {
    /// For how many seconds after the sign-in a person may export, erase, change addresses and refuse claims.
    private static let recent = 600.0

    let request: SignInRequest
    var flow: SignInFlow
    let account: Account

    private var services: WebServices { request.services }
    private var service: Service { services.service }

    /// The forms and links hold the flow: no cookie proves who the person is.
    private func place() throws(KinfolkError) -> PagePlace {
        let text = try flow.text(service)
        let url = PageURL.adding("flow", text, to: SignInRequest.accountPath)
        return PagePlace(url: url, action: SignInRequest.accountPath, flow: text)
    }

    private func respond(_ page: some Page) -> WebResponse { page.response(request.language) }

    private var rejection: WebResponse { request.error(.formRejected, startURL: SignInRequest.accountPath) }

    /// Where the person signs in again; nil if the sign-in is recent.
    private var signInURL: String? {
        guard let provedAt = flow.provedAt, service.clock().seconds(since: provedAt) < AccountSteps.recent else {
            return SignInRequest.accountPath
        }
        return nil
    }

    // MARK: The page

    /// The page of the account, or another one that a link names.
    func show(_ name: String? = nil) throws(KinfolkError) -> WebResponse {
        let place = try place()
        switch name {
        case "export": return respond(ExportPage(place, backURL: place.url, signInURL: signInURL))
        case "erase": return try erasePage(isWordWrong: false)
        default: return try accountPage()
        }
    }

    private func accountPage(
        _ notice: AccountPage.Notice? = nil,
        newAddress: String = "",
        problem: AccountPage.Problem? = nil
    ) throws(KinfolkError) -> WebResponse {
        let place = try place()
        let name = try account.name()
        let page = AccountPage(
            place,
            name: [name.givenName, name.familyName].filter { !$0.isEmpty }.joined(separator: " "),
            addresses: try account.emails().map { .init(text: $0.spelling, isVerified: $0.isVerified) },
            identities: try account.identities().map(identity),
            claims: try account.claims().filter { $0.owner == account.id }.compactMap(AccountSteps.claim),
            applications: try applications(),
            exportURL: PageURL.adding("show", "export", to: place.url),
            eraseURL: PageURL.adding("show", "erase", to: place.url),
            notice: notice,
            newAddress: newAddress,
            problem: problem
        )
        return respond(page)
    }

    /// The form names an identity by its hash, so that a page holds no subject.
    private func identity(_ identity: LinkedIdentity) -> AccountPage.Identity {
        let name = services.configuration.providers.first { $0.issuer == identity.issuer }?.name
        let isOfProxy = identity.issuer == ProxySignIn.issuer
        return AccountPage.Identity(
            id: AccountSteps.id(of: identity),
            provider: name ?? (isOfProxy ? identity.subject : identity.issuer)
        )
    }

    private static func id(of identity: LinkedIdentity) -> String {
        Hexadecimal.text(SHA256.hash(of: Array("\(identity.issuer)\0\(identity.subject)".utf8)))
    }

    private static func claim(_ claim: EmailClaim) -> AccountPage.Claim? {
        let state: AccountPage.Claim.State
        switch claim.state {
        case .awaitingNotice, .waiting, .completable: state = .open(until: claim.completableAt)
        case .refused: state = .refused
        case .disputed: state = .disputed
        case .dismissed: return nil
        }
        return AccountPage.Claim(id: claim.id.description, address: claim.address, state: state)
    }

    private func applications() throws(KinfolkError) -> [AccountPage.Application] {
        let sessions = try account.webSessions()
        let numbers = try service.read { db in
            try AccountRows.verified(account.id, service, db)?.users.map(\.container) ?? []
        }
        var applications: [AccountPage.Application] = []
        for container in try service.containers() where numbers.contains(container.number) {
            let own = sessions.filter { $0.container == container.name && $0.environment == .production }
            applications.append(
                AccountPage.Application(
                    container: container.name,
                    name: container.name,
                    hasWording: services.configuration.wordings[container.name] != nil,
                    discoverability: try container.session(for: account).discoverability(),
                    devices: own.map { session in
                        AccountPage.Device(
                            id: session.id,
                            name: session.apiTokenName,
                            signedInAt: session.signedInAt,
                            lastUsedAt: nil,
                            isCurrent: false
                        )
                    }
                )
            )
        }
        return applications
    }

    // MARK: Steps

    func answer() throws(KinfolkError) -> WebResponse {
        let form = request.form
        let isConfirmed = form["confirmed"] == "yes"
        switch PageStep(rawValue: form["step"]) {
        case .signOut:
            if let signIn = flow.signIn { try account.endSignIn(signIn) }
            return signedOut
        case .signOutDevice:
            try allowingMissing { () throws(KinfolkError) in try account.endWebSession(form["device"]) }
            return try accountPage(.signedOut)
        case .signOutEverywhere:
            guard isConfirmed else { return try confirm(.signOutEverywhere, needsRecentSignIn: false) }
            try account.endWebSessions()
            return signedOut
        case .addAddress: return try addAddress()
        case .removeAddress: return try removeAddress(isConfirmed)
        case .refuseClaim: return try refuseClaim(isConfirmed)
        case .code: return try takeCode()
        case .anotherCode: return try sendCode(pass: form["pass"], again: true)
        case .removeIdentity: return try removeIdentity()
        case .hide: return try decide(.denied, in: form["container"])
        case .askConsent: return try askConsent(form["container"])
        case .consent:
            guard let decision = request.decision else { return rejection }
            return try decide(decision, in: flow.email)
        case .erase:
            guard signInURL == nil, ConfirmPage.isEraseWord(form["word"]) else {
                return try erasePage(isWordWrong: true)
            }
            _ = try account.erase()
            return respond(DonePage(PagePlace(url: SignInRequest.accountPath), .erased))
        case .export: return try export()
        default: return rejection
        }
    }

    private var signedOut: WebResponse { respond(DonePage(PagePlace(url: SignInRequest.accountPath), .signedOut)) }

    /// Runs a call whose subject may be gone already.
    private func allowingMissing(_ body: () throws(KinfolkError) -> Void) throws(KinfolkError) {
        do throws(KinfolkError) { try body() } catch {
            guard error.code == .unknownItem || error.code == .invalidArgument else { throw error }
        }
    }

    private func confirm(_ change: ConfirmPage.Change, needsRecentSignIn: Bool = true) throws(KinfolkError)
        -> WebResponse
    {
        let place = try place()
        let signInURL = needsRecentSignIn ? signInURL : nil
        return respond(ConfirmPage(place, change, cancelURL: place.url, signInURL: signInURL))
    }

    /// Asks the person to sign in again; nil if the sign-in is recent.
    private func signInAgain() throws(KinfolkError) -> WebResponse? {
        guard let signInURL else { return nil }
        let place = try place()
        return respond(SignInAgainPage(place, cancelURL: place.url, signInURL: signInURL))
    }

    private func erasePage(isWordWrong: Bool) throws(KinfolkError) -> WebResponse {
        let export = PageURL.adding("show", "export", to: try place().url)
        return try confirm(.erase(exportURL: export, isWordWrong: isWordWrong))
    }

    private func export() throws(KinfolkError) -> WebResponse {
        guard signInURL == nil else { return try show("export") }
        let text = try account.export()
        return WebResponse(
            headers: [
                ("content-type", "application/json; charset=utf-8"),
                ("content-disposition", "attachment; filename=\"export.json\""),
            ] + WebResponse.privateHeaders,
            body: .bytes(Array(text.utf8))
        )
    }

    // MARK: Addresses and claims

    private func addAddress() throws(KinfolkError) -> WebResponse {
        let text = request.form["email"]
        if let page = try signInAgain() { return page }
        guard !text.isEmpty else { return try accountPage(problem: .addressMissing) }
        guard let email = try? EmailAddress(text) else {
            return try accountPage(newAddress: text, problem: .addressInvalid)
        }
        if try !account.emails().contains(where: { (try? EmailAddress($0.spelling)) == email }) {
            try account.addEmail(text)
        }
        return try asking(.addEmail, at: text).sendCode()
    }

    /// The last one stays: an account without one could go on creating, and so could the next one with its address.
    private func waysToSignIn() throws(KinfolkError) -> Int {
        try account.emails().count(where: \.isVerified) + account.identities().count
    }

    private func removeAddress(_ isConfirmed: Bool) throws(KinfolkError) -> WebResponse {
        let text = request.form["email"]
        guard let email = try? EmailAddress(text) else { return rejection }
        let isWay = try account.emails().contains { $0.isVerified && (try? EmailAddress($0.spelling)) == email }
        guard try waysToSignIn() > (isWay ? 1 : 0) else { return try accountPage() }
        guard isConfirmed, signInURL == nil else { return try confirm(.removeAddress(text)) }
        try allowingMissing { () throws(KinfolkError) in try account.removeEmail(email) }
        return try accountPage(.addressRemoved)
    }

    private func refuseClaim(_ isConfirmed: Bool) throws(KinfolkError) -> WebResponse {
        let id = request.form["claim"]
        let claims = try account.claims()
        guard let claim = claims.first(where: { $0.owner == account.id && $0.id.description == id }) else {
            return rejection
        }
        guard isConfirmed, signInURL == nil else {
            return try confirm(.refuseClaim(claim: id, address: claim.address))
        }
        return try asking(.refuseClaim, at: claim.address).sendCode()
    }

    private func asking(_ purpose: CodePurpose, at address: String) -> AccountSteps {
        var steps = self
        (steps.flow.purpose, steps.flow.email) = (purpose, address)
        return steps
    }

    /// Mails a code to the address of the flow.
    private func sendCode(pass: String = "", again: Bool = false) throws(KinfolkError) -> WebResponse {
        guard let email = try? EmailAddress(flow.email), flow.purpose != .signIn else { return rejection }
        guard services.postman.hasRoom else { return try codePage(.notSent) }
        if let minutes = services.limiters.countMail(for: request.head) {
            return try codePage(.tooManyCodes(minutes: minutes))
        }
        do throws(KinfolkError) {
            let mail = try account.requestVerification(
                of: email,
                for: flow.purpose,
                pass: pass.isEmpty ? nil : pass
            )
            if let mail { send(mail) }
        } catch {
            guard error.code == .requestRateLimited else {
                guard error.code == .conflict || error.code == .unknownItem else { throw error }
                return try accountPage()
            }
            return try codePage(.tooManyCodes(minutes: Int(((error.retryAfter ?? 60) / 60).rounded(.up))))
        }
        return try codePage(sentAgain: again)
    }

    private func send(_ mail: VerificationMail) {
        let message = CodeMail(
            content: mail,
            application: services.name,
            purpose: flow.purpose == .addEmail ? .addAddress : .refuseClaim
        )
        let language = request.language
        services.postman.run { [services] in _ = services.configuration.sendMail?(message.mail(language)) }
    }

    private func codePage(
        _ problem: CodePage.Problem? = nil,
        sentAgain: Bool = false
    ) throws(KinfolkError) -> WebResponse {
        let place = try place()
        return respond(
            CodePage(
                place,
                flow.purpose == .addEmail ? .addAddress : .refuseClaim,
                address: flow.email,
                otherAddressURL: place.url,
                wasSentAgain: sentAgain,
                problem: problem
            )
        )
    }

    private func takeCode() throws(KinfolkError) -> WebResponse {
        guard let email = try? EmailAddress(flow.email) else { return rejection }
        let code = request.form["code"]
        guard !code.isEmpty else { return try codePage(.missing) }
        if let page = try signInAgain() { return page }
        if let refusal = request.countTry() { return refusal }
        do throws(KinfolkError) {
            switch flow.purpose {
            case .addEmail:
                guard let claim = try account.verifyEmail(email, code: code).claim else {
                    return try accountPage(.addressAdded)
                }
                if claim.state == .awaitingNotice {
                    let language = request.language
                    services.postman.run { [services] in try? ClaimNotices.mail(claim, services, language) }
                }
                return try accountPage(.addressClaimed)
            case .refuseClaim:
                _ = try account.refuseClaims(on: email, code: code)
                return try accountPage(.claimRefused)
            case .signIn: return rejection
            }
        } catch {
            switch error.code {
            case .permissionFailure, .limitExceeded: return try codePage(.wrong)
            case .unknownItem: return try codePage(.expired)
            default: throw error
            }
        }
    }

    private func removeIdentity() throws(KinfolkError) -> WebResponse {
        if let page = try signInAgain() { return page }
        let identity = try account.identities().first { AccountSteps.id(of: $0) == request.form["identity"] }
        guard let identity, try waysToSignIn() > 1 else { return try accountPage() }
        try allowingMissing { () throws(KinfolkError) in
            try account.removeIdentity(issuer: identity.issuer, subject: identity.subject)
        }
        return try accountPage(.identityRemoved)
    }

    // MARK: Discoverability

    /// A container that the person uses.
    private func session(in name: String) throws(KinfolkError) -> Session? {
        guard try applications().contains(where: { $0.container == name }) else { return nil }
        return try service.container(name).session(for: account)
    }

    private func askConsent(_ name: String) throws(KinfolkError) -> WebResponse {
        guard let words = services.configuration.wordings[name], try session(in: name) != nil else { return rejection }
        let steps = asking(.signIn, at: name)
        let place = try steps.place()
        return respond(ConsentPage(place, application: name, words, request.language, backURL: place.url))
    }

    private func decide(_ decision: Discoverability, in name: String) throws(KinfolkError) -> WebResponse {
        guard let session = try session(in: name) else { return rejection }
        let words = services.configuration.wordings[name]
        if decision == .granted {
            // Only what was shown can be agreed to.
            guard let wording = words?.shown(request.form["wording"]) else { return rejection }
            try session.setDiscoverability(.granted, wording: wording)
        } else {
            let wording = words?.general ?? ConsentWording("Others can find you in \(name).", version: "kinfolkd")
            try session.setDiscoverability(.denied, wording: wording)
        }
        return try accountPage(.discoverabilityChanged)
    }
}
