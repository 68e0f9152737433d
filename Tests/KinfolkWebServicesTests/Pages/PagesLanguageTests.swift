import Testing

@testable import KinfolkWebServices

/// Which language a page has.
@Suite("Pages: language") struct PagesLanguageTests {
    @Test(
        arguments: [
            ("de", "de"), ("de-CH, fr;q=0.9", "de"), ("fr;q=0.8, de;q=0.9", "de"), ("DE-at;Q=0.5,en;q=0.4", "de"),
            ("ja,en;q=0.5", "ja"), ("nl, es;q=0.3", "es"), ("*", "en"), ("nl", "en"), ("", "en"), (",, ,it", "it"),
            ("fr;q=0, *", "en"), ("en;q=0, *", "fr"), ("*;q=0.1, it", "it"), ("de;q=0.5, *", "en"),
            ("it ; q=0.9 , fr ; q=0.95", "fr"), ("fr, de", "fr"), ("de-AT;q=0.2, de;q=0.9, fr;q=0.5", "de"),
            ("de;q=1.5, fr;q=0.1", "fr"), ("de;q=-1, fr;q=0.1", "fr"), ("de;q=0.9999, fr;q=0.1", "fr"),
            ("de;q=x, fr;q=0.1", "fr"), ("de;x=1, fr;q=0.1", "fr"), ("de;q=, fr;q=0.1", "fr"), ("de;q=1.001, it", "it"),
            ("de;q=0.001, fr;q=0.002", "fr"), ("deu, es", "es"), ("d\u{130}, es", "es"), ("en;q=0", "en"),
        ]
    ) func theHeaderOfTheBrowserIsRead(_ header: String, _ expected: String) {
        #expect(PageLanguage(choice: nil, acceptLanguage: header).rawValue == expected)
    }

    @Test func aChoiceOverridesTheBrowser() {
        #expect(PageLanguage(choice: "ja", acceptLanguage: "de") == .japanese)
        #expect(PageLanguage(choice: "FR-ca", acceptLanguage: "de") == .french)
        #expect(PageLanguage(choice: "xx", acceptLanguage: "de") == .german)
        #expect(PageLanguage(choice: "", acceptLanguage: nil) == .english)
    }

    @Test func longHeadersAreReadInLinearTime() {
        let clock = ContinuousClock()
        for piece in [",", ";", " ", "de;q=0.5,", "a-", "*,", ";q=", "\t,"] {
            let long = String(repeating: piece, count: 100_000 / piece.utf8.count)
            let duration = clock.measure { _ = PageLanguage(choice: nil, acceptLanguage: long) }
            #expect(duration < .seconds(3), "\(piece)")
        }
    }
}
