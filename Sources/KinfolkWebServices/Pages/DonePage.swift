/// The last page: it leads back to the application, or says that something has ended.
struct DonePage: Page {
    enum Outcome: Sendable {
        /// The person goes to the return URL, which has the single-use code.
        case back(url: String)
        /// The window gives a web auth token to the application that opened it. Nobody but a page of `origin` can receive it.
        case window(token: String, origin: String)
        case signedOut
        case erased
    }

    let place: PagePlace
    /// The name of the application; nil if the outcome has none.
    let application: String?
    let outcome: Outcome

    /// - Parameter place: ``PagePlace/isOpened`` is set for ``Outcome/window(token:origin:)``.
    init(_ place: PagePlace, application: String? = nil, _ outcome: Outcome) {
        self.place = place
        self.application = application
        self.outcome = outcome
    }

    var destination: String? {
        if case .back(let url) = outcome { url } else { nil }
    }

    /// Nil if the origin is not one, such as `*`.
    var script: PageScript? {
        guard case .window(let token, let origin) = outcome, PageURL.isOrigin(origin) else { return nil }
        return PageScript(token: token, origin: origin)
    }

    func title(_ texts: PageTexts) -> PageTitle {
        switch outcome {
        case .back, .window: PageTitle(texts.done.title)
        case .signedOut: PageTitle(texts.done.signedOut.title)
        case .erased: PageTitle(texts.done.erased.title)
        }
    }

    func write(_ page: inout PageWriter) {
        let texts = page.texts
        let values = ["application": application ?? ""]
        switch outcome {
        case .back(let url):
            page.text("p", texts.done.redirect, values)
            page.link(url, texts.done.link, values, style: "button main wide")
        case .window:
            page.text("p", texts.done.window, values)
            page.text("p", ["id": "lost", "class": "error", "role": "alert", "hidden": ""], texts.done.lost, values)
            page.element("noscript") { page in
                page.text("p", ["class": "error"], texts.done.withoutScript, values)
            }
        case .signedOut: page.text("p", texts.done.signedOut.text)
        case .erased: page.text("p", texts.done.erased.text)
        }
    }
}
