import Kinfolk

/// The page on which a person manages the account.
struct AccountPage: Page {
    /// An e-mail address of the account.
    struct Address: Sendable {
        let text: String
        let isVerified: Bool
    }

    /// Another way to sign in: an identity at a provider.
    struct Identity: Sendable {
        /// As the form sends it back.
        let id: String
        let provider: String
    }

    /// A claim of somebody else on an address of the account.
    struct Claim: Sendable {
        enum State: Sendable {
            /// The person may refuse it. The address can move at this time; nil while that is not known.
            case open(until: Timestamp?)
            case refused
            case disputed
        }

        /// As the form sends it back.
        let id: String
        let address: String
        let state: State
    }

    /// An application that the person uses.
    struct Application: Sendable {
        /// The name of its container, as the form sends it back.
        let container: String
        let name: String
        /// Whether the person can be asked to be found: whether the service has the words of the application.
        let hasWording: Bool
        let discoverability: Discoverability
        let devices: [Device]
    }

    /// A device, or a browser, on which the person is signed in to an application.
    struct Device: Sendable {
        /// As the form sends it back.
        let id: String
        let name: String
        let signedInAt: Timestamp
        let lastUsedAt: Timestamp?
        /// Whether it is the one that shows this page.
        let isCurrent: Bool
    }

    /// What the page says has been done.
    enum Notice: Sendable {
        case addressAdded
        /// Another account has the address.
        case addressClaimed
        case addressRemoved
        case claimRefused
        case identityRemoved
        case discoverabilityChanged
        case signedOut
    }

    enum Problem: Sendable {
        case addressMissing
        case addressInvalid
        case tooManyCodes(minutes: Int)
        /// The mail could not be sent.
        case notSent
    }

    let place: PagePlace
    /// The name of the person; empty if they gave none.
    let name: String
    let addresses: [Address]
    let identities: [Identity]
    let claims: [Claim]
    let applications: [Application]
    let exportURL: String
    let eraseURL: String
    let notice: Notice?
    /// What the person entered as a new address.
    let newAddress: String
    let problem: Problem?

    init(
        _ place: PagePlace,
        name: String,
        addresses: [Address],
        identities: [Identity] = [],
        claims: [Claim] = [],
        applications: [Application],
        exportURL: String,
        eraseURL: String,
        notice: Notice? = nil,
        newAddress: String = "",
        problem: Problem? = nil
    ) {
        self.place = place
        self.name = name
        self.addresses = addresses
        self.identities = identities
        self.claims = claims
        self.applications = applications
        self.exportURL = exportURL
        self.eraseURL = eraseURL
        self.notice = notice
        self.newAddress = newAddress
        self.problem = problem
    }

    func title(_ texts: PageTexts) -> PageTitle { PageTitle(texts.account.title) }

    func problem(_ texts: PageTexts) -> PageProblem? {
        switch problem {
        case .addressMissing: PageProblem(texts.common.emailMissing, in: "email")
        case .addressInvalid: PageProblem(texts.common.emailInvalid, in: "email")
        case .tooManyCodes(let minutes):
            PageProblem(texts.common.tooManyCodes, ["duration": texts.duration(minutes: minutes)])
        case .notSent: PageProblem(texts.email.notSent)
        case nil: nil
        }
    }

    func write(_ page: inout PageWriter) {
        if let notice { page.notice(text(of: notice, page.texts.account.changed)) }
        page.element("div", ["class": "actions"]) { page in
            if !name.isEmpty { page.outside("span", [:], name) }
            page.form(.signOut) { $0.button($0.texts.account.signOut) }
        }
        // Claims come first: the person may have little time to refuse.
        if !claims.isEmpty {
            section("claims", page.texts.account.claimsTitle, &page) { writeClaims(&$0) }
        }
        section("addresses", page.texts.account.addressesTitle, &page) { writeAddresses(&$0) }
        if !identities.isEmpty {
            section("identities", page.texts.email.providersTitle, &page) { writeIdentities(&$0) }
        }
        section("applications", page.texts.account.applicationsTitle, &page) { writeApplications(&$0) }
        section("data", page.texts.account.dataTitle, &page) { page in
            page.element("div", ["class": "actions"]) { page in
                page.link(exportURL, page.texts.account.export)
                page.link(eraseURL, page.texts.account.erase)
            }
        }
    }

    private func section(
        _ id: StaticString,
        _ title: PageText,
        _ page: inout PageWriter,
        _ content: (inout PageWriter) -> Void
    ) {
        page.element("section", ["aria-labelledby": id.description]) { page in
            page.text("h2", ["id": id.description], title)
            content(&page)
        }
    }

    private func text(of notice: Notice, _ texts: PageTexts.Changed) -> PageText {
        switch notice {
        case .addressAdded: texts.addressAdded
        case .addressClaimed: texts.addressClaimed
        case .addressRemoved: texts.addressRemoved
        case .claimRefused: texts.claimRefused
        case .identityRemoved: texts.identityRemoved
        case .discoverabilityChanged: texts.discoverability
        case .signedOut: texts.signedOut
        }
    }
}
