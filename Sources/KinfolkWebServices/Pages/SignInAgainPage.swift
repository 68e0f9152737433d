/// Asks the person to sign in again, because a step needs a recent sign-in.
struct SignInAgainPage: Page {
    let place: PagePlace
    /// Where the person goes who does not sign in.
    let cancelURL: String
    let signInURL: String

    init(_ place: PagePlace, cancelURL: String, signInURL: String) {
        self.place = place
        self.cancelURL = cancelURL
        self.signInURL = signInURL
    }

    func title(_ texts: PageTexts) -> PageTitle { PageTitle(texts.account.title) }

    func write(_ page: inout PageWriter) { page.signInAgain(signInURL, cancelURL: cancelURL) }
}
