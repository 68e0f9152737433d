import Kinfolk
import KinfolkCrypto

/// A page of a sign-in: to an application (`/sign-in/TICKET`), or to manage the account (`/account`).
struct SignInRequest {
    static let root = "/sign-in/"
    static let accountPath = "/account"

    static func isPath(_ path: String) -> Bool { path.hasPrefix(root) || path == accountPath }

    /// The largest form, in bytes.
    static let bodyLimit = 16_384

    let services: WebServices
    let head: WebRequest.Head
    let form: FormFields
    let cookie: BrowserCookie
    let language: PageLanguage
    /// Empty if the person wants to manage the account.
    private let ticket: String
    private var isOfAccount: Bool { head.path == SignInRequest.accountPath }

    /// Nil if the path is not that of a sign-in.
    init?(_ request: WebRequest, _ services: WebServices) {
        head = request.head
        guard SignInRequest.isPath(head.path) else { return nil }
        self.services = services
        ticket = head.path == SignInRequest.accountPath ? "" : String(head.path.dropFirst(SignInRequest.root.count))
        form = FormFields(request.body)
        cookie = BrowserCookie(head, isSecure: services.configuration.origin.hasPrefix("https:"))
        let choice = head.method == "POST" ? form["lang"] : QueryItems(head.query)["lang"]
        language = PageLanguage(choice: choice, acceptLanguage: head.header("accept-language"))
    }

    // MARK: Answering

    func response() -> WebResponse {
        guard services.limiters.hasRoom(for: head) else { return error(.tooManyRequests(minutes: 1)) }
        return cookie.set(in: page())
    }

    private func page() -> WebResponse {
        do throws(KinfolkError) {
            if let step = IdentityRequest(self) { return try step.page() }
            let link = isOfAccount ? nil : try SignInLink(ticket, services)
            guard isOfAccount || link != nil else { return error(.linkExpired) }
            switch head.method {
            case "GET":
                if let flow = try flow(QueryItems(head.query)["flow"]) { return try resume(flow, link) }
                guard let link else { return try beginAccount() }
                return try begin(link)
            case "POST":
                // A browser that did not show the form cannot have the cookie of the flow.
                guard let flow = try flow(form["flow"]) else { return error(.formRejected, startURL: head.path) }
                return try SignInSteps(request: self, link: link, flow: flow).answer()
            default: return error(.pageNotFound)
            }
        } catch {
            switch error.code {
            case .notAuthenticated: return self.error(.accountSuspended)
            // The account or the container is gone.
            case .unknownItem: return self.error(.linkExpired)
            case .requestRateLimited:
                return self.error(.tooManyRequests(minutes: Int(((error.retryAfter ?? 60) / 60).rounded(.up))))
            case .serviceUnavailable: return self.error(.serviceUnavailable)
            default:
                services.configuration.report?("A page of a sign-in could not be made: \(error.code).")
                return self.error(.serviceUnavailable)
            }
        }
    }

    /// A flow of this browser and of this link; nil if there is none.
    private func flow(_ text: String?) throws(KinfolkError) -> SignInFlow? {
        guard cookie.isKnown, let text, let flow = try SignInFlow(text, ofBrowser: cookie.hash, services.service) else {
            return nil
        }
        return flow.ticket == ticket ? flow : nil
    }

    /// The page of the account if the person has signed in to manage it, or else the step to which the flow has come.
    private func resume(_ flow: SignInFlow, _ link: SignInLink?) throws(KinfolkError) -> WebResponse {
        if link == nil, let account = try flow.provedAccount(services.service) {
            return try AccountSteps(request: self, flow: flow, account: account).show(QueryItems(head.query)["show"])
        }
        return try SignInSteps(request: self, link: link, flow: flow).resume()
    }

    private func beginAccount() throws(KinfolkError) -> WebResponse {
        let flow = SignInFlow(ticket: "", browser: cookie.hash, at: services.service.clock())
        return try SignInSteps(request: self, link: nil, flow: flow).start()
    }

    /// The first page, after it is clear where the person can go afterwards.
    private func begin(_ link: SignInLink) throws(KinfolkError) -> WebResponse {
        var flow = SignInFlow(ticket: ticket, browser: cookie.hash, at: services.service.clock())
        let query = QueryItems(head.query, hasSpaces: true)
        for name in ["state", "redirect_uri"] where query.contains(name) && query[name] == nil {
            return error(.linkExpired, detail: name)
        }
        flow.state = query["state"]
        if query.contains("code_challenge") || query.contains("code_challenge_method") {
            // The plain method of RFC 7636 protects nothing.
            guard query["code_challenge_method"] == "S256",
                let bytes = query["code_challenge"].flatMap({ Base64.bytes($0, urlSafe: true) }), bytes.count == 32
            else { return error(.linkExpired, detail: "code_challenge") }
            flow.challenge = Base64.text(bytes)
        }
        let application = link.token.name
        if let url = query["redirect_uri"] {
            guard link.token.returnURLs.contains(where: { $0.utf8.elementsEqual(url.utf8) }) else {
                return error(.returnURLNotRegistered(application: application), detail: PageURL.origin(of: url))
            }
            flow.returnURL = url
        } else if let origin = link.origin {
            guard link.token.origins.contains(origin) else {
                return error(.originNotRegistered(application: application), detail: origin)
            }
            flow.origin = origin
        } else if let url = link.token.returnURLs.first {
            flow.returnURL = url
        } else if link.token.origins.count == 1 {
            flow.origin = link.token.origins[0]
        } else {
            return error(.originNotRegistered(application: application))
        }
        return try SignInSteps(request: self, link: link, flow: flow).start()
    }

    /// The answer of a form about discoverability; nil if there is none.
    var decision: Discoverability? {
        switch form["discoverability"] {
        case "granted": .granted
        case "denied": .denied
        default: nil
        }
    }

    /// Counts a try of a code of any page, by its network. The answer if there were too many.
    func countTry() -> WebResponse? {
        guard let network = Network(head.client), let seconds = services.limiters.tries.take(network) else {
            return nil
        }
        return error(.tooManyRequests(minutes: Int((seconds / 60).rounded(.up))))
    }

    func error(_ reason: ErrorPage.Reason, detail: String? = nil, startURL: String? = nil) -> WebResponse {
        ErrorPage(PagePlace(url: head.path), reason, detail: detail, startURL: startURL).response(language)
    }
}
