/// Says why the person cannot go on.
struct ErrorPage: Page {
    enum Reason: Sendable {
        case linkExpired
        /// The token against forged requests is missing or wrong.
        case formRejected
        case applicationUnknown
        case returnURLNotRegistered(application: String)
        case originNotRegistered(application: String)
        case accountSuspended
        /// A provider of identities refused, or its answer was not valid.
        case providerFailed(name: String)
        case tooManyRequests(minutes: Int)
        case serviceUnavailable
        case pageNotFound
    }

    let place: PagePlace
    let reason: Reason
    /// A technical detail for the developer of the application, such as the URL that is not registered.
    let detail: String?
    /// Where the person can start again; nil if that is of no use.
    let startURL: String?

    init(_ place: PagePlace, _ reason: Reason, detail: String? = nil, startURL: String? = nil) {
        self.place = place
        self.reason = reason
        self.detail = detail
        self.startURL = startURL
    }

    var status: Int {
        switch reason {
        case .linkExpired, .returnURLNotRegistered, .originNotRegistered: 400
        case .formRejected, .accountSuspended, .providerFailed: 403
        case .applicationUnknown, .pageNotFound: 404
        case .tooManyRequests: 429
        case .serviceUnavailable: 503
        }
    }

    func title(_ texts: PageTexts) -> PageTitle {
        let (message, values) = message(texts)
        return PageTitle(message.title, values)
    }

    func write(_ page: inout PageWriter) {
        let (message, values) = message(page.texts)
        page.text("p", message.text, values)
        if let detail { page.text("p", ["class": "meta"], page.texts.errors.detail, ["detail": detail]) }
        if let startURL {
            page.element("p", ["class": "after"]) { page in
                page.link(startURL, page.texts.errors.startAgain, style: "button main")
            }
        }
    }

    private func message(_ texts: PageTexts) -> (PageTexts.Message, [String: String]) {
        switch reason {
        case .linkExpired: (texts.errors.linkExpired, [:])
        case .formRejected: (texts.errors.formRejected, [:])
        case .applicationUnknown: (texts.errors.applicationUnknown, [:])
        case .returnURLNotRegistered(let name): (texts.errors.returnURLNotRegistered, ["application": name])
        case .originNotRegistered(let name): (texts.errors.originNotRegistered, ["application": name])
        case .accountSuspended: (texts.errors.accountSuspended, [:])
        case .providerFailed(let name): (texts.errors.providerFailed, ["provider": name])
        case .tooManyRequests(let minutes):
            (texts.errors.tooManyRequests, ["duration": texts.duration(minutes: minutes)])
        case .serviceUnavailable: (texts.errors.serviceUnavailable, [:])
        case .pageNotFound: (texts.errors.pageNotFound, [:])
        }
    }
}
