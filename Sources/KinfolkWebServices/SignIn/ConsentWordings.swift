public import Kinfolk

/// The words with which a container asks whether others may find a person, in one or several languages.
public struct ConsentWordings: Sendable {
    /// The words for people whose language is not among the others.
    public let general: ConsentWording
    /// The words in some languages, by their tags (ISO 639-1), such as `de`. Each is stored as shown, under the version of `general`.
    public let texts: [String: String]

    public init(_ general: ConsentWording, texts: [String: String] = [:]) {
        self.general = general
        self.texts = texts
    }

    /// The words for a language, what identifies them in a form, and their language if it is known.
    func words(in language: PageLanguage) -> (wording: ConsentWording, id: String, language: String?) {
        guard let text = texts[language.rawValue] else { return (general, general.version, nil) }
        return (
            ConsentWording(text, version: general.version), "\(language.rawValue) \(general.version)", language.rawValue
        )
    }

    /// The words that a form says were shown; nil if there are no such words any more.
    func shown(_ id: String) -> ConsentWording? {
        if id == general.version { return general }
        for (language, text) in texts where id == "\(language) \(general.version)" {
            return ConsentWording(text, version: general.version)
        }
        return nil
    }
}
