/// The person enters the code that was mailed to an address.
struct CodePage: Page {
    /// What the code is for.
    enum Purpose: Sendable {
        /// To sign in to an application; nil to manage the account.
        case signIn(application: String?)
        case addAddress
        case refuseClaim
    }

    enum Problem: Sendable {
        case missing
        /// The code is wrong, or was tried too often. Which of them it is would tell whether an account has the address.
        case wrong
        case expired
        case tooManyCodes(minutes: Int)
        /// The mail could not be sent.
        case notSent
    }

    let place: PagePlace
    let purpose: Purpose
    /// Where the code was sent.
    let address: String
    /// Where the person can enter another address; nil if they cannot.
    let otherAddressURL: String?
    /// Whether another code was just sent.
    let wasSentAgain: Bool
    let problem: Problem?

    init(
        _ place: PagePlace,
        _ purpose: Purpose,
        address: String,
        otherAddressURL: String? = nil,
        wasSentAgain: Bool = false,
        problem: Problem? = nil
    ) {
        self.place = place
        self.purpose = purpose
        self.address = address
        self.otherAddressURL = otherAddressURL
        self.wasSentAgain = wasSentAgain
        self.problem = problem
    }

    func title(_ texts: PageTexts) -> PageTitle {
        switch purpose {
        case .signIn: PageTitle(texts.code.title)
        case .addAddress: PageTitle(texts.code.titleOfAddition)
        case .refuseClaim: PageTitle(texts.code.titleOfRefusal)
        }
    }

    func problem(_ texts: PageTexts) -> PageProblem? {
        switch problem {
        case .missing: PageProblem(texts.code.missing, in: "code")
        case .wrong: PageProblem(texts.code.wrong, in: "code")
        case .expired: PageProblem(texts.code.expired)
        case .tooManyCodes(let minutes):
            PageProblem(texts.common.tooManyCodes, ["duration": texts.duration(minutes: minutes)])
        case .notSent: PageProblem(texts.email.notSent)
        case nil: nil
        }
    }

    func write(_ page: inout PageWriter) {
        let texts = page.texts
        if wasSentAgain { page.notice(texts.code.sentAgain) }
        if case .signIn(let application?) = purpose {
            page.text("p", texts.code.signingIn, ["application": application])
        }
        page.text("p", texts.code.sent, ["address": address])
        page.form(.code) { page in
            let field = PageField(
                id: "code",
                label: texts.code.label,
                hint: texts.code.hint,
                autocomplete: "one-time-code",
                capitals: "characters",
                pattern: #"\s*[0-9A-Za-z]{4}[\- ]?[0-9A-Za-z]{4}\s*"#,
                style: "code"
            )
            page.field(field, problem(texts))
            page.button(texts.code.submit, style: "main wide")
        }
        page.element("div", ["class": "part"]) { writeAnother(&$0) }
    }

    private func writeAnother(_ page: inout PageWriter) {
        let texts = page.texts
        page.text("h2", texts.code.noCodeTitle)
        page.text("p", texts.code.noCode)
        page.form(.anotherCode) { page in
            page.element("details", ["class": "field", "open": isLimited ? "" : nil]) { page in
                page.text("summary", texts.code.passTitle)
                let field = PageField(
                    id: "pass",
                    label: texts.code.passLabel,
                    hint: texts.code.passHint,
                    capitals: "characters",
                    isRequired: false,
                    style: "code"
                )
                page.field(field, nil)
            }
            page.element("div", ["class": "actions"]) { page in
                page.button(texts.code.another)
                if let otherAddressURL { page.link(otherAddressURL, texts.code.otherAddress) }
            }
        }
    }

    /// Whether the person now needs a pass to get a code.
    private var isLimited: Bool {
        if case .tooManyCodes = problem { true } else { false }
    }
}
