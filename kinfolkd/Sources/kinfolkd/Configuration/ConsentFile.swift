import Kinfolk
import KinfolkWebServices

/// A file with the words with which a container asks whether others may find a person.
struct ConsentFile {
    private static let languages = ["de", "en", "es", "fr", "it", "ja"]

    let container: String
    let words: ConsentWordings
    let problems: [String]

    init(path: String) {
        var file = SettingLines(path: path)
        var texts: [String: String] = [:]
        func text(_ name: String) -> String? {
            let paragraphs = file.lines.filter { $0.name == name }.map(\.value)
            return paragraphs.isEmpty ? nil : paragraphs.joined(separator: "\n\n")
        }
        for language in ConsentFile.languages { texts[language] = text("text-\(language)") }
        let general = text("text")
        container = file.required("container")
        let version = file.required("version")
        if general == nil { file.add("There is no line for text.") }
        file.refuseOthers { name in
            ["container", "version", "text"].contains(name) || ConsentFile.languages.contains { "text-\($0)" == name }
        }
        words = ConsentWordings(ConsentWording(general ?? "", version: version), texts: texts)
        problems = file.problems
    }
}
