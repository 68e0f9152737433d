import Testing

@testable import KinfolkWebServices

/// The markup of the pages, and the rules by which assistive technology can use them (WCAG 2.2, HTML Standard).
@Suite("Pages: markup") struct PagesMarkupTests {
    private static let phrasing: Set<String> = ["a", "bdi", "strong", "span", "button"]
    private static let onlyPhrasing: Set<String> = [
        "p", "h1", "h2", "h3", "h4", "label", "button", "a", "summary", "span", "bdi", "title",
    ]

    /// Calls `body` with each page in each language.
    private func forEachPage(_ body: (PagesMarkup.Element, PageLanguage, Comment) throws -> Void) rethrows {
        for (name, page) in PagesSamples().all {
            for language in PageLanguage.allCases {
                let comment = Comment("\(name) \(language.rawValue)")
                guard let root = try? PagesMarkup.read(page.bytes(language)) else {
                    Issue.record(comment)
                    continue
                }
                try body(root, language, comment)
            }
        }
    }

    @Test func everyPageIsWellFormedInEveryLanguage() throws {
        for (name, page) in PagesSamples().all {
            for language in PageLanguage.allCases {
                #expect(throws: Never.self, "\(name)") { try PagesMarkup.read(page.bytes(language)) }
            }
        }
    }

    @Test func theReaderRefusesMarkupThatIsNotWellFormed() {
        for body in [
            "<p>", "<p></b></p>", "<p>&</p>", "<p a=b></p>", "<p a=\"<\"></p>", "<P></P>", "<p a=\"\" a=\"\"></p>",
        ] {
            let html = "<!DOCTYPE html>\n<html>\(body)</html>\n"
            #expect(throws: PagesMarkup.Malformed.self, "\(body)") { try PagesMarkup.read(Array(html.utf8)) }
        }
    }

    @Test func eachPageNamesItsLanguageAndLinksToTheOthers() throws {
        forEachPage { root, language, comment in
            #expect(root["lang"] == language.rawValue, comment)
            let links = root.all.filter { $0["hreflang"] != nil }
            #expect(
                links.map { $0["hreflang"] } == PageLanguage.allCases.filter { $0 != language }.map(\.rawValue),
                comment
            )
            for link in links { #expect(link["href"]?.hasSuffix("&lang=\(link["hreflang"] ?? "")") == true, comment) }
        }
    }

    @Test func eachPageHasATitleOneMainPartAndHeadingsInOrder() {
        forEachPage { root, _, comment in
            let title = root.all.first { $0.name == "title" }?.text ?? ""
            let headings = root.all.filter { ["h1", "h2", "h3", "h4"].contains($0.name) }
            let levels = headings.compactMap { Int($0.name.dropFirst()) }
            let parts = root.all.map(\.name).filter { ["main", "nav", "footer"].contains($0) }
            #expect(parts == ["main", "footer", "nav"], comment)
            #expect(levels.first == 1 && levels.filter { $0 == 1 }.count == 1, comment)
            #expect(zip(levels, levels.dropFirst()).allSatisfy { $1 <= $0 + 1 }, comment)
            #expect(headings.allSatisfy { !$0.text.isEmpty }, comment)
            #expect(title.hasSuffix(headings.first?.text ?? "?"), comment)
        }
    }

    @Test func identifiersAreUniqueAndReferencesLeadToThem() {
        forEachPage { root, _, comment in
            let ids = root.all.compactMap { $0["id"] }
            #expect(Set(ids).count == ids.count, comment)
            for element in root.all {
                let lists = ["for", "aria-describedby", "aria-labelledby"].compactMap { element[$0] }
                let local = element["href"].flatMap { $0.hasPrefix("#") ? String($0.dropFirst()) : nil }
                for id in lists.flatMap({ $0.split(separator: " ").map(String.init) }) + [local].compactMap(\.self) {
                    #expect(ids.contains(id), comment)
                }
            }
        }
    }

    @Test func eachFieldHasALabelAndEachButtonANameOfItsOwn() {
        forEachPage { root, _, comment in
            let labels = root.all.filter { $0.name == "label" && !$0.text.isEmpty }.compactMap { $0["for"] }
            for input in root.all where input.name == "input" && input["type"] != "hidden" {
                #expect(labels.contains(input["id"] ?? ""), comment)
            }
            let texts = Dictionary(root.all.compactMap { element in element["id"].map { ($0, element.text) } }) { $1 }
            let names = root.all.filter { $0.name == "button" }.map { button in
                guard let list = button["aria-labelledby"] else { return button.text }
                return list.split(separator: " ").compactMap { texts[String($0)] }.joined(separator: " ")
            }
            #expect(names.allSatisfy { !$0.isEmpty }, comment)
            // The sample has one device twice, in two applications.
            #expect(Set(names).count >= names.count - 1, comment)
            #expect(root.all.filter { $0.name == "a" }.allSatisfy { !$0.text.isEmpty && $0["href"] != nil }, comment)
        }
    }

    @Test func eachFormIsAPostThatReturnsTheFlow() {
        forEachPage { root, language, comment in
            for form in root.all where form.name == "form" {
                let hidden = form.all.filter { $0["type"] == "hidden" }
                let values = Dictionary(hidden.map { ($0["name"] ?? "", $0["value"] ?? "") }) { $1 }
                #expect(form["method"] == "post" && form["action"] == "/sign-in", comment)
                #expect(
                    values["flow"] == "f1" && values["lang"] == language.rawValue,
                    comment
                )
                #expect(PageStep(rawValue: values["step"] ?? "") != nil, comment)
                #expect(form.all.contains { $0.name == "button" && $0["type"] == "submit" }, comment)
            }
        }
    }

    @Test func aPageWithAProblemSaysSoFirst() {
        forEachPage { root, language, comment in
            let summaries = root.all.filter { $0["autofocus"] != nil }
            let invalid = root.all.filter { $0["aria-invalid"] == "true" }
            let title = root.all.first { $0.name == "title" }?.text ?? ""
            let prefix = PageTexts[language].common.error.plain()
            #expect(summaries.count <= 1 && title.hasPrefix(prefix) == !summaries.isEmpty, comment)
            for summary in summaries {
                #expect(summary["role"] == "alert" && summary["tabindex"] == "-1", comment)
                let link = summary.all.first { $0.name == "a" }?["href"]
                #expect(link == invalid.first.map { "#" + ($0["id"] ?? "") }, comment)
            }
            for field in invalid {
                #expect(field["aria-describedby"]?.contains((field["id"] ?? "?") + "-error") == true, comment)
            }
        }
    }

    @Test func elementsStandWhereTheyMay() {
        forEachPage { root, _, comment in
            for element in root.all {
                if PagesMarkupTests.onlyPhrasing.contains(element.name) {
                    #expect(element.children.allSatisfy { PagesMarkupTests.phrasing.contains($0.name) }, comment)
                }
                if element.name == "ul" { #expect(element.children.allSatisfy { $0.name == "li" }, comment) }
                // The policy of the page would block both.
                #expect(!element.attributes.contains { $0.name.hasPrefix("on") || $0.name == "style" }, comment)
            }
        }
    }

    @Test func bothAnswersOfTheConsentLookTheSameAndNoneIsChosen() throws {
        for (name, page) in PagesSamples().all where name.hasPrefix("consent") {
            let root = try PagesMarkup.read(page.bytes(.english))
            let buttons = root.all.filter { $0.name == "button" }
            #expect(buttons.map { $0["value"] } == ["granted", "denied"])
            #expect(buttons[0]["class"] == buttons[1]["class"])
            #expect(!root.all.contains { $0["checked"] != nil || $0["autofocus"] != nil })
        }
    }
}
