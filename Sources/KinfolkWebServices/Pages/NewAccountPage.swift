/// Asks a person who signs in for the first time for a name, which they need not give.
struct NewAccountPage: Page {
    enum Problem: Sendable {
        case givenNameTooLong
        case familyNameTooLong
    }

    let place: PagePlace
    /// What the person entered before, or what a provider says.
    let givenName: String
    let familyName: String
    let problem: Problem?

    init(_ place: PagePlace, givenName: String = "", familyName: String = "", problem: Problem? = nil) {
        self.place = place
        self.givenName = givenName
        self.familyName = familyName
        self.problem = problem
    }

    func title(_ texts: PageTexts) -> PageTitle { PageTitle(texts.newAccount.title) }

    func problem(_ texts: PageTexts) -> PageProblem? {
        switch problem {
        case .givenNameTooLong: PageProblem(texts.newAccount.tooLong, in: "given")
        case .familyNameTooLong: PageProblem(texts.newAccount.tooLong, in: "family")
        case nil: nil
        }
    }

    func write(_ page: inout PageWriter) {
        let texts = page.texts
        let given = PageField(
            id: "given",
            label: texts.newAccount.givenName,
            value: givenName,
            autocomplete: "given-name",
            capitals: "words",
            isRequired: false
        )
        let family = PageField(
            id: "family",
            label: texts.newAccount.familyName,
            value: familyName,
            autocomplete: "family-name",
            capitals: "words",
            isRequired: false
        )
        page.text("p", texts.newAccount.intro)
        page.form(.names) { page in
            // In Japanese the family name comes first.
            for field in page.language == .japanese ? [family, given] : [given, family] {
                page.field(field, problem(texts))
            }
            page.button(texts.newAccount.submit, style: "main wide")
        }
    }
}
