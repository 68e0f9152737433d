import Kinfolk

@testable import KinfolkWebServices

/// Every page in every state, with values from outside that a test chooses.
struct PagesSamples {
    /// Takes the place of each text from outside.
    var text: (String) -> String = { $0 }
    /// Takes the place of each URL from outside.
    var url: (String) -> String = { $0 }

    private let time = Timestamp(microseconds: 1_795_710_000_000_000)

    private var place: PagePlace {
        PagePlace(url: "/sign-in?flow=f1", action: "/sign-in", flow: text("f1"))
    }

    private var window: PagePlace {
        PagePlace(url: "/sign-in?flow=f1", action: "/sign-in", flow: text("f1"), isOpened: true)
    }

    /// The pages, by the names of their files.
    var all: [(name: String, page: any Page)] {
        signIn + account
            + reasons.map {
                (
                    "error-\($0.0)",
                    ErrorPage(place, $0.1, detail: text("https://other.example"), startURL: url("/start"))
                )
            }
    }

    private var notes: String { text("Notes") }
    private var ada: String { text("ada@example.com") }

    private var signIn: [(name: String, page: any Page)] {
        let providers = [
            EmailPage.Provider(name: text("Example University"), url: url("/oidc/university")),
            EmailPage.Provider(name: text("Google"), url: url("/oidc/google")),
        ]
        return [
            ("email", EmailPage(place, application: notes, providers: providers)),
            ("email-account", EmailPage(place, application: nil, keep: true)),
            ("email-missing", EmailPage(place, application: notes, problem: .missing)),
            ("email-invalid", EmailPage(window, application: notes, email: text("ada@"), problem: .invalid)),
            ("email-limit", EmailPage(place, application: notes, email: ada, problem: .tooManyCodes(minutes: 1_000))),
            ("email-not-sent", EmailPage(place, application: notes, email: ada, problem: .notSent)),
            ("email-providers", EmailPage(place, application: notes, hasMail: false, providers: providers)),
            ("code", CodePage(place, .signIn(application: notes), address: ada, otherAddressURL: url("/other"))),
            ("code-account", CodePage(place, .signIn(application: nil), address: ada)),
            ("code-again", CodePage(place, .addAddress, address: ada, wasSentAgain: true)),
            ("code-refuse", CodePage(place, .refuseClaim, address: ada)),
            ("code-missing", CodePage(place, .signIn(application: notes), address: ada, problem: .missing)),
            ("code-wrong", CodePage(window, .signIn(application: notes), address: ada, problem: .wrong)),
            ("sign-in-again", SignInAgainPage(place, cancelURL: url("/account"), signInURL: url("/account"))),
            ("code-expired", CodePage(place, .signIn(application: notes), address: ada, problem: .expired)),
            ("code-limit", CodePage(place, .addAddress, address: ada, problem: .tooManyCodes(minutes: 5))),
            ("code-not-sent", CodePage(place, .addAddress, address: ada, problem: .notSent)),
            (
                "consent",
                ConsentPage(
                    place,
                    application: notes,
                    wordings(text("Friends who know your address can find you in Notes and share lists with you.")),
                    .english
                )
            ),
            (
                "consent-long",
                ConsentPage(
                    window,
                    application: text("ملاحظات"),
                    wordings(text(String(repeating: "يمكن لأصدقائك الذين يعرفون عنوانك العثور عليك. ", count: 30))),
                    .german,
                    backURL: url("/account")
                )
            ),
            (
                "link-identity",
                LinkIdentityPage(place, provider: text("Example ID"), person: text("Ada, ada@example.com"))
            ),
            ("names", NewAccountPage(place, givenName: text("Ada"), familyName: text("Lovelace"))),
            ("names-given", NewAccountPage(place, givenName: text("Ada"), problem: .givenNameTooLong)),
            ("names-family", NewAccountPage(place, familyName: text("Lovelace"), problem: .familyNameTooLong)),
            (
                "done-back",
                DonePage(place, application: notes, .back(url: url("https://notes.example/back?code=1&state=2")))
            ),
            (
                "done-window",
                DonePage(window, application: notes, .window(token: text("1|a+/="), origin: "https://notes.example"))
            ),
            ("done-signed-out", DonePage(place, .signedOut)),
            ("done-erased", DonePage(place, .erased)),
        ]
    }

    private func wordings(_ words: String) -> ConsentWordings {
        ConsentWordings(ConsentWording(words, version: text("2026-01")), texts: ["en": words])
    }

    private var account: [(name: String, page: any Page)] {
        let cancel = url("/account")
        let again = url("/sign-in?again")
        return [
            ("account", accountPage(.claimRefused, nil)),
            ("account-invalid", accountPage(nil, .addressInvalid)),
            ("account-missing", accountPage(.addressAdded, .addressMissing)),
            ("account-limit", accountPage(.addressRemoved, .tooManyCodes(minutes: 1))),
            ("account-not-sent", accountPage(.signedOut, .notSent)),
            (
                "account-new",
                AccountPage(
                    place,
                    name: "",
                    addresses: [AccountPage.Address(text: ada, isVerified: true)],
                    applications: [],
                    exportURL: url("/account/export"),
                    eraseURL: url("/account/erase"),
                    notice: .discoverabilityChanged
                )
            ),
            (
                "erase",
                ConfirmPage(place, .erase(exportURL: url("/account/export"), isWordWrong: false), cancelURL: cancel)
            ),
            ("erase-wrong", ConfirmPage(place, .erase(exportURL: nil, isWordWrong: true), cancelURL: cancel)),
            (
                "erase-sign-in",
                ConfirmPage(place, .erase(exportURL: nil, isWordWrong: true), cancelURL: cancel, signInURL: again)
            ),
            ("everywhere", ConfirmPage(place, .signOutEverywhere, cancelURL: cancel)),
            ("refuse", ConfirmPage(place, .refuseClaim(claim: text("c"), address: ada), cancelURL: cancel)),
            (
                "refuse-sign-in",
                ConfirmPage(place, .refuseClaim(claim: text("c"), address: ada), cancelURL: cancel, signInURL: again)
            ),
            ("remove", ConfirmPage(place, .removeAddress(ada), cancelURL: cancel)),
            ("export", ExportPage(place, backURL: cancel)),
            ("export-sign-in", ExportPage(place, backURL: cancel, signInURL: again)),
        ]
    }

    private func accountPage(_ notice: AccountPage.Notice?, _ problem: AccountPage.Problem?) -> AccountPage {
        let phone = AccountPage.Device(
            id: text("d1"),
            name: text("Firefox on Android"),
            signedInAt: time,
            lastUsedAt: time,
            isCurrent: true
        )
        let desk = AccountPage.Device(
            id: text("d2"),
            name: text("Safari on a Mac"),
            signedInAt: time,
            lastUsedAt: nil,
            isCurrent: false
        )
        return AccountPage(
            place,
            name: text("Ada Lovelace"),
            addresses: [
                AccountPage.Address(text: ada, isVerified: true),
                AccountPage.Address(
                    text: text("a.very.long.address.of.ada@mathematics.university.example"),
                    isVerified: false
                ),
            ],
            claims: [
                AccountPage.Claim(id: text("c1"), address: ada, state: .open(until: time)),
                AccountPage.Claim(id: text("c2"), address: text("b@example.com"), state: .open(until: nil)),
                AccountPage.Claim(id: text("c3"), address: text("c@example.com"), state: .refused),
                AccountPage.Claim(id: text("c4"), address: text("d@example.com"), state: .disputed),
            ],
            applications: [
                AccountPage.Application(
                    container: text("com.example.notes"),
                    name: notes,
                    hasWording: true,
                    discoverability: .granted,
                    devices: [phone, desk]
                ),
                AccountPage.Application(
                    container: text("com.example.chess"),
                    name: text("Chess"),
                    hasWording: true,
                    discoverability: .denied,
                    devices: []
                ),
                AccountPage.Application(
                    container: text("com.example.maps"),
                    name: text("Maps"),
                    hasWording: false,
                    discoverability: .undetermined,
                    devices: [desk]
                ),
            ],
            exportURL: url("/account/export"),
            eraseURL: url("/account/erase"),
            notice: notice,
            newAddress: problem == nil ? "" : text("ada@"),
            problem: problem
        )
    }

    private var reasons: [(String, ErrorPage.Reason)] {
        [
            ("link", .linkExpired), ("form", .formRejected), ("application", .applicationUnknown),
            ("return", .returnURLNotRegistered(application: notes)),
            ("origin", .originNotRegistered(application: notes)),
            ("suspended", .accountSuspended), ("provider", .providerFailed(name: text("Google"))),
            ("limit", .tooManyRequests(minutes: 3)), ("service", .serviceUnavailable), ("page", .pageNotFound),
        ]
    }
}
