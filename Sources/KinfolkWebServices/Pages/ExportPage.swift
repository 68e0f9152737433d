/// Offers the file with everything that the service holds about the person.
struct ExportPage: Page {
    let place: PagePlace
    /// The page of the account.
    let backURL: String
    /// Where the person signs in again; nil if the last sign-in is recent enough. The page then has no form.
    let signInURL: String?

    init(_ place: PagePlace, backURL: String, signInURL: String? = nil) {
        self.place = place
        self.backURL = backURL
        self.signInURL = signInURL
    }

    func title(_ texts: PageTexts) -> PageTitle { PageTitle(texts.export.title) }

    func write(_ page: inout PageWriter) {
        let texts = page.texts
        page.text("p", texts.export.content)
        page.text("p", texts.export.care)
        if let signInURL { return page.signInAgain(signInURL, cancelURL: backURL) }
        page.form(.export) { page in
            page.element("div", ["class": "actions"]) { page in
                page.button(texts.export.submit, style: "main")
                page.link(backURL, texts.common.back)
            }
        }
    }
}
