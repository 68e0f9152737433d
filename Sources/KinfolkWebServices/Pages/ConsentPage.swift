import Kinfolk

/// Asks whether other people may find the person in an application, in the words of the application.
///
/// Neither answer is preselected, and both buttons look the same.
struct ConsentPage: Page {
    let place: PagePlace
    let application: String
    /// The application's own wording.
    let wording: String
    /// What identifies the wording. The form sends it back, so that the answer belongs to what was shown.
    let version: String
    /// The tag (BCP 47) of the language of the wording; nil if it is not known.
    let wordingLanguage: String?
    /// Where the person can go without an answer; nil in a sign-in.
    let backURL: String?

    init(
        _ place: PagePlace,
        application: String,
        _ wordings: ConsentWordings,
        _ language: PageLanguage,
        backURL: String? = nil
    ) {
        let (wording, version, tag) = wordings.words(in: language)
        self.place = place
        self.application = application
        self.wording = wording.text
        self.version = version
        wordingLanguage = tag
        self.backURL = backURL
    }

    func title(_ texts: PageTexts) -> PageTitle { PageTitle(texts.consent.title, ["application": application]) }

    func write(_ page: inout PageWriter) {
        let texts = page.texts
        page.text("p", texts.consent.meaning, ["application": application])
        page.text("p", ["id": "wording-title"], texts.consent.wording, ["application": application])
        // The attribute `lang` without a value says that the language is not known.
        page.element("blockquote", ["lang": wordingLanguage ?? "", "aria-labelledby": "wording-title"]) { page in
            for paragraph in PlainText.paragraphs(wording) {
                page.element("p", ["dir": "auto"]) { $0.html.text(paragraph) }
            }
        }
        page.form(.consent, ["wording": version]) { page in
            page.button(texts.consent.yes, style: "wide", name: "discoverability", value: "granted")
            page.button(texts.consent.no, style: "wide", name: "discoverability", value: "denied")
        }
        page.text("p", ["class": "meta after"], texts.consent.later)
        if let backURL { page.element("p", ["class": "after"]) { $0.link(backURL, texts.common.back) } }
    }
}
