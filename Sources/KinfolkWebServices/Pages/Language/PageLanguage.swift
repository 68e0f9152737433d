/// A language of the pages and mails. The raw value is its tag (BCP 47).
enum PageLanguage: String, CaseIterable, Sendable {
    case english = "en"
    case french = "fr"
    case german = "de"
    case spanish = "es"
    case italian = "it"
    case japanese = "ja"

    /// Its name in the language itself.
    var name: String {
        switch self {
        case .english: "English"
        case .french: "Français"
        case .german: "Deutsch"
        case .spanish: "Español"
        case .italian: "Italiano"
        case .japanese: "日本語"
        }
    }

    /// The language of an answer: the one that the person chose on a page, else the best one for the browser, else English.
    ///
    /// - Parameters:
    ///   - choice: The item `lang` of the query or of a form.
    ///   - acceptLanguage: The header `Accept-Language`. Several headers are joined by commas.
    init(choice: String?, acceptLanguage: String?) {
        self =
            choice.flatMap { PageLanguage(tag: $0.utf8[...]) } ?? acceptLanguage.flatMap(PageLanguage.best) ?? .english
    }

    /// The language of a tag such as `de` or `de-AT`: letter case and all that follows the first hyphen do not matter.
    init?(tag: Substring.UTF8View) {
        let primary = tag.prefix { $0 != UInt8(ascii: "-") }
        guard primary.count == 2 else { return nil }
        let text = String(decoding: primary.map { $0 | 0x20 }, as: UTF8.self)
        self.init(rawValue: text)
    }
}
