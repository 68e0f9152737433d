/// The first page of a sign-in: the person enters an e-mail address, or chooses another provider of their identity.
struct EmailPage: Page {
    /// Another way to sign in.
    struct Provider: Sendable {
        let name: String
        let url: String
        /// Whether it is a person whom a proxy knows, and not a provider.
        var isPerson = false
    }

    enum Problem: Sendable {
        case missing
        case invalid
        case tooManyCodes(minutes: Int)
        /// The mail could not be sent.
        case notSent
    }

    let place: PagePlace
    /// The name of the application; nil if the person signs in to manage the account.
    let application: String?
    /// What the person entered before.
    let email: String
    /// Whether the option to stay signed in is set.
    let keep: Bool
    /// Whether codes can be mailed; if not, only the providers are shown.
    let hasMail: Bool
    let providers: [Provider]
    let problem: Problem?

    init(
        _ place: PagePlace,
        application: String?,
        email: String = "",
        keep: Bool = false,
        hasMail: Bool = true,
        providers: [Provider] = [],
        problem: Problem? = nil
    ) {
        self.place = place
        self.application = application
        self.email = email
        self.keep = keep
        self.hasMail = hasMail
        self.providers = providers
        self.problem = problem
    }

    func title(_ texts: PageTexts) -> PageTitle {
        guard let application else { return PageTitle(texts.email.titleOfAccount) }
        return PageTitle(texts.email.title, ["application": application])
    }

    func problem(_ texts: PageTexts) -> PageProblem? {
        switch problem {
        case .missing: PageProblem(texts.common.emailMissing, in: "email")
        case .invalid: PageProblem(texts.common.emailInvalid, in: "email")
        case .tooManyCodes(let minutes):
            PageProblem(texts.common.tooManyCodes, ["duration": texts.duration(minutes: minutes)])
        case .notSent: PageProblem(texts.email.notSent)
        case nil: nil
        }
    }

    func write(_ page: inout PageWriter) {
        if hasMail { writeForm(&page) }
        if !providers.isEmpty { writeProviders(&page) }
    }

    private func writeForm(_ page: inout PageWriter) {
        let texts = page.texts
        page.text("p", texts.email.intro)
        page.form(.address) { page in
            let field = PageField(
                id: "email",
                label: texts.common.emailLabel,
                value: email,
                autocomplete: "email",
                inputMode: "email",
                capitals: "none"
            )
            page.field(field, problem(texts))
            page.element("div", ["class": "check field"]) { page in
                let checked = keep ? "" : nil
                page.html.start(
                    "input",
                    [
                        "type": "checkbox", "id": "keep", "name": "keep", "value": "yes", "checked": checked,
                        "aria-describedby": "keep-hint",
                    ]
                )
                page.text("label", ["for": "keep"], texts.email.keep)
                page.text("p", ["class": "hint", "id": "keep-hint"], texts.email.keepHint)
            }
            page.button(texts.email.submit, style: "main wide")
        }
        guard let application else { return }
        page.text("p", ["class": "meta after"], texts.email.privacy, ["application": application])
    }

    private func writeProviders(_ page: inout PageWriter) {
        page.element("div", ["class": hasMail ? "part" : nil]) { page in
            page.text("h2", page.texts.email.providersTitle)
            page.element("ul", ["class": "providers"]) { page in
                for provider in providers {
                    page.element("li") { page in
                        let texts = page.texts.email
                        let text = provider.isPerson ? texts.person : texts.provider
                        page.link(provider.url, text, ["provider": provider.name], style: "button wide")
                    }
                }
            }
        }
    }
}
