/// Asks the person to confirm a change that cannot be undone easily.
struct ConfirmPage: Page {
    enum Change: Sendable {
        /// - Parameters:
        ///   - exportURL: Where the person can first download their data; nil if they cannot.
        ///   - isWordWrong: Whether the person typed another word.
        case erase(exportURL: String?, isWordWrong: Bool)
        case signOutEverywhere
        /// - Parameters:
        ///   - claim: The identifier of the claim, as the form sends it back.
        ///   - address: The address that somebody claims.
        case refuseClaim(claim: String, address: String)
        case removeAddress(String)
    }

    let place: PagePlace
    let change: Change
    /// Where the person goes who does not confirm.
    let cancelURL: String
    /// Where the person signs in again; nil if the last sign-in is recent enough. The page then has no form.
    let signInURL: String?

    init(_ place: PagePlace, _ change: Change, cancelURL: String, signInURL: String? = nil) {
        self.place = place
        self.change = change
        self.cancelURL = cancelURL
        self.signInURL = signInURL
    }

    /// Whether a text is the word that confirms an erasure, in any of the languages.
    static func isEraseWord(_ text: String) -> Bool {
        let word = PlainText.line(text).lowercased()
        return PageLanguage.allCases.contains { PageTexts[$0].confirm.word.plain() == word }
    }

    func title(_ texts: PageTexts) -> PageTitle {
        switch change {
        case .erase: PageTitle(texts.confirm.erase.title)
        case .signOutEverywhere: PageTitle(texts.confirm.signOutEverywhere.title)
        case .refuseClaim(_, let address): PageTitle(texts.confirm.refuse.title, ["address": address])
        case .removeAddress(let address): PageTitle(texts.confirm.removeAddress.title, ["address": address])
        }
    }

    func problem(_ texts: PageTexts) -> PageProblem? {
        guard case .erase(_, isWordWrong: true) = change, signInURL == nil else { return nil }
        return PageProblem(texts.confirm.wordWrong, ["word": texts.confirm.word.plain()], in: "word")
    }

    func write(_ page: inout PageWriter) {
        let texts = page.texts
        writeConsequences(&page)
        if let signInURL { return page.signInAgain(signInURL, cancelURL: cancelURL) }
        switch change {
        case .erase:
            page.form(.erase) { page in
                let field = PageField(
                    id: "word",
                    label: texts.confirm.wordLabel,
                    labelValues: ["word": texts.confirm.word.plain()],
                    capitals: "none"
                )
                page.field(field, problem(texts))
                writeActions(texts.confirm.eraseButton, "danger", &page)
            }
        case .signOutEverywhere:
            page.form(.signOutEverywhere, ["confirmed": "yes"]) { page in
                writeActions(texts.confirm.signOutEverywhereButton, "main", &page)
            }
        case .refuseClaim(let claim, _):
            page.form(.refuseClaim, ["claim": claim, "confirmed": "yes"]) { page in
                writeActions(texts.confirm.refuseButton, "main", &page)
            }
        case .removeAddress(let address):
            page.form(.removeAddress, ["email": address, "confirmed": "yes"]) { page in
                writeActions(texts.confirm.removeAddressButton, "danger", &page)
            }
        }
    }

    private func writeConsequences(_ page: inout PageWriter) {
        let texts = page.texts
        switch change {
        case .erase(let exportURL, _):
            page.text("p", texts.confirm.erase.text)
            page.element("p") { page in
                page.text("strong", texts.confirm.eraseUndo)
            }
            if let exportURL { page.element("p") { $0.link(exportURL, texts.confirm.eraseExport) } }
        case .signOutEverywhere: page.text("p", texts.confirm.signOutEverywhere.text)
        case .refuseClaim(_, let address): page.text("p", texts.confirm.refuse.text, ["address": address])
        case .removeAddress: page.text("p", texts.confirm.removeAddress.text)
        }
    }

    private func writeActions(_ text: PageText, _ style: StaticString, _ page: inout PageWriter) {
        page.element("div", ["class": "actions"]) { page in
            page.button(text, style: style)
            page.link(cancelURL, page.texts.confirm.cancel)
        }
    }
}

extension PageWriter {
    /// Says that the step needs a recent sign-in, and leads to it.
    mutating func signInAgain(_ url: String, cancelURL: String) {
        element("div", ["class": "notice"]) { page in
            page.text("h2", page.texts.common.signInAgain.title)
            page.text("p", page.texts.common.signInAgain.text)
        }
        element("div", ["class": "actions"]) { page in
            page.link(url, page.texts.common.signInAgainButton, style: "button main")
            page.link(cancelURL, page.texts.confirm.cancel)
        }
    }
}
