import Kinfolk
import Testing

@testable import KinfolkWebServices

/// The texts in six languages.
@Suite("Pages: texts") struct PagesTextsTests {
    /// Texts that are the same in English and in another language.
    private static let same: Set<String> = [
        "fr common.minutes.one", "fr common.minutes.other", "fr common.date", "it common.date", "es common.dateAndTime",
        "es common.error", "de common.firstDay", "es common.firstDay", "ja common.firstDay",
        // Names of months.
        "de common.months.3", "de common.months.7", "de common.months.8", "de common.months.10",
    ]

    /// All texts of a language, by their place.
    private func texts(_ language: PageLanguage) -> [String: PageText] {
        var found: [String: PageText] = [:]
        func collect(_ value: Any, _ path: String) {
            if let text = value as? PageText {
                found[path] = text
                return
            }
            for (number, child) in Mirror(reflecting: value).children.enumerated() {
                collect(child.value, path + (path.isEmpty ? "" : ".") + (child.label ?? "\(number)"))
            }
        }
        collect(PageTexts[language], "")
        return found
    }

    private func placeholders(_ text: PageText) -> Set<String> {
        Set(text.parts.compactMap { if case .value(let name) = $0 { name } else { nil } })
    }

    @Test(arguments: PageLanguage.allCases) func noTextIsMissingOrLeftInEnglish(_ language: PageLanguage) {
        let english = texts(.english)
        let translated = texts(language)
        #expect(english.count > 150 && Set(translated.keys) == Set(english.keys))
        for (path, text) in translated {
            let plain = text.plain(Dictionary(placeholders(text).map { ($0, "x") }) { $1 })
            #expect(plain.contains { !$0.isWhitespace }, "\(path)")
            #expect(!plain.contains("  ") && !plain.contains("\n"), "\(path)")
            guard language != .english, !PagesTextsTests.same.contains("\(language.rawValue) \(path)") else { continue }
            #expect(text != english[path], "\(path)")
        }
    }

    @Test(arguments: PageLanguage.allCases) func theValuesHaveTheSameNamesInAllLanguages(_ language: PageLanguage) {
        let translated = texts(language)
        for (path, english) in texts(.english) {
            guard let text = translated[path] else { continue }
            #expect(placeholders(text) == placeholders(english), "\(path)")
            for case .text(let part) in text.parts { #expect(!part.contains("{") && !part.contains("}"), "\(path)") }
        }
    }

    @Test(arguments: PageLanguage.allCases) func everyPageShowsAllItsValues(_ language: PageLanguage) throws {
        for (name, page) in PagesSamples().all {
            let root = try PagesMarkup.read(page.bytes(language))
            // A value that a page forgot is an empty element.
            #expect(root.all.filter { $0.name == "bdi" }.allSatisfy { !$0.text.isEmpty }, "\(name)")
            #expect(!root.text.contains("{") && !root.text.contains("}"), "\(name)")
        }
    }

    @Test func eachLanguageWritesInItsOwnWay() {
        for (path, text) in texts(.french) {
            for sign in [" :", " ?", " !", " ;", "« ", " »", "'"] {
                let plain = text.parts.map { if case .text(let part) = $0 { part } else { "x" } }.joined()
                #expect(!plain.contains(sign), "\(path): a plain space or apostrophe")
            }
        }
        for (path, text) in texts(.japanese) where !path.hasPrefix("common.firstDay") {
            let isJapanese = text.parts.contains { part in
                guard case .text(let text) = part else { return false }
                return text.unicodeScalars.contains { (0x3000...0x9FFF).contains($0.value) || $0.value > 0xFF00 }
            }
            #expect(isJapanese, "\(path)")
        }
    }

    @Test func datesAreWrittenAsInEachLanguage() {
        let time = Timestamp(microseconds: 1_795_710_133_000_000)
        let first = Timestamp(microseconds: 1_793_491_200_000_000)
        let expected: [PageLanguage: (String, String)] = [
            .english: ("26 November 2026, 16:22 UTC", "1 November 2026"),
            .french: ("26 novembre 2026 à 16:22 UTC", "1er novembre 2026"),
            .german: ("26. November 2026, 16:22 Uhr UTC", "1. November 2026"),
            .spanish: ("26 de noviembre de 2026, 16:22 UTC", "1 de noviembre de 2026"),
            .italian: ("26 novembre 2026, ore 16:22 UTC", "1º novembre 2026"),
            .japanese: ("2026年11月26日 16:22（UTC）", "2026年11月1日"),
        ]
        for (language, (moment, day)) in expected {
            #expect(PageTexts[language].dateAndTime(time) == moment)
            #expect(PageTexts[language].date(first) == day)
        }
    }

    @Test func durationsAreRoundedUp() {
        let texts = PageTexts[.english]
        #expect(
            [0, 1, 2, 119, 120, 121, 1_440].map { texts.duration(minutes: $0) } == [
                "1 minute", "1 minute", "2 minutes", "119 minutes", "2 hours", "3 hours", "24 hours",
            ]
        )
    }

    @Test func theWordThatErasesCountsInEachLanguage() {
        for language in PageLanguage.allCases {
            let word = PageTexts[language].confirm.word.plain()
            #expect(ConfirmPage.isEraseWord(word) && ConfirmPage.isEraseWord("  \(word.uppercased())\n"))
        }
        #expect(ConfirmPage.isEraseWord("lo\u{308}schen"))
        #expect(!ConfirmPage.isEraseWord("") && !ConfirmPage.isEraseWord("erase it"))
    }
}
