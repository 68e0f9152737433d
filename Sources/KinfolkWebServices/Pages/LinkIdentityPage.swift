/// Asks a person who has signed in whether an identity, which was proved in the same browser, becomes one of the account.
///
/// Somebody else may have left it on a shared computer. So neither answer is preselected, and both buttons look the same.
struct LinkIdentityPage: Page {
    let place: PagePlace
    /// The provider, as people know it.
    let provider: String
    /// Whom the provider names.
    let person: String

    init(_ place: PagePlace, provider: String, person: String) {
        (self.place, self.provider, self.person) = (place, provider, person)
    }

    func title(_ texts: PageTexts) -> PageTitle { PageTitle(texts.linkIdentity.title, ["provider": provider]) }

    func write(_ page: inout PageWriter) {
        let texts = page.texts.linkIdentity
        page.text("p", texts.proved, ["provider": provider, "person": person])
        page.text("p", texts.meaning, ["provider": provider])
        page.form(.linkIdentity) { page in
            page.button(texts.yes, style: "wide", name: "link", value: "yes")
            page.button(texts.no, style: "wide", name: "link", value: "no")
        }
    }
}
