import Testing

@testable import KinfolkWebServices

/// Values from outside, in every place of every page.
@Suite("Pages: values from outside") struct PagesEscapingTests {
    private static let hostile = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onfocus='alert(1)' autofocus='",
        "</title><b>",
        "</style><script>x</script>", "<!--", "]]>", "&lt;b&gt;&amp;amp;", "&#60;", "{application}{address}", "{", "}",
        "\u{202E}gro.elpmaxe", "\u{0}\u{1}\u{8}\u{1B}\u{7F}\u{85}", "\u{301}\u{301}a", "\u{FFFE}\u{1FFFF}", "a\rb",
        "javascript:alert(1)", "\u{2028}\u{2029}", String(repeating: "W", count: 5_000), "👩‍👩‍👧<", "=\"", "\\u003c", " ",
    ]

    @Test(arguments: hostile) func noTextFromOutsideBecomesMarkup(_ text: String) throws {
        let hostile = PagesSamples(text: { _ in text })
        for ((name, skeleton), (_, page)) in zip(PagesEscapingTests.skeletons, hostile.all) {
            let found = try PagesMarkup.read(page.bytes(.english)).skeleton
            // A wording has a paragraph for each of its lines.
            let hasLines = name.hasPrefix("consent") && PlainText.paragraphs(text).count != 1
            #expect(found == skeleton || hasLines, "\(name)")
        }
    }

    /// The elements of all pages with harmless values.
    private static let skeletons = PagesSamples().all.map { name, page in
        (name, (try? PagesMarkup.read(page.bytes(.english)).skeleton) ?? "")
    }

    @Test(
        arguments: [
            "javascript:alert(1)", "JaVaScRiPt:alert(1)", " javascript:alert(1)", "java\nscript:alert(1)",
            "\u{1}javascript:x", "data:text/html,<script>alert(1)</script>", "vbscript:x", "//evil.example",
            "/\\evil.example",
            "blob:https://x", "about:blank", "file:///etc/passwd", "view-source:x", "", "relative", ":", "1x:y",
            "a b:c",
            "https://example.com/\" onclick=\"x", "https://exämple.com", "javascript&colon;alert(1)",
        ]
    ) func noLinkLeadsToAURLThatIsNotSafe(_ url: String) throws {
        #expect(!PageURL.isSafe(url))
        for (name, page) in PagesSamples(url: { _ in url }).all {
            let root = try PagesMarkup.read(page.bytes(.english))
            for element in root.all {
                #expect(element["href"] != url && element["action"] != url, "\(name)")
                #expect(element["http-equiv"] == nil, "\(name)")
            }
        }
    }

    @Test(arguments: ["/", "/a?b=c&d#e", "#code", "https://example.com/?a='b'", "com.example.notes:/done", "HTTP://x"])
    func linksToOtherURLsStay(_ url: String) throws {
        #expect(PageURL.isSafe(url))
        let page = DonePage(PagePlace(url: "/"), application: "Notes", .back(url: url))
        let root = try PagesMarkup.read(page.bytes(.english))
        #expect(root.all.contains { $0.name == "a" && $0["href"] == url })
        #expect(root.all.first { $0["http-equiv"] == "refresh" }?["content"] == "0; url=" + url)
    }

    @Test func aFieldHoldsWhatWasEntered() throws {
        let entered = "<\"ada\" & 'ben'>\r@example.com"
        let page = EmailPage(PagePlace(url: "/"), application: nil, email: entered, problem: .invalid)
        let root = try PagesMarkup.read(page.bytes(.german))
        #expect(root.all.first { $0["id"] == "email" }?["value"] == entered)
    }

    @Test func theMessageGoesToOneOriginOnly() throws {
        func root(_ origin: String) throws -> PagesMarkup.Element {
            let page = DonePage(
                PagePlace(url: "/", isOpened: true),
                application: "N",
                .window(token: "t", origin: origin)
            )
            let hasScript = page.headers.contains { $0.value.contains("script-src") }
            let root = try PagesMarkup.read(page.bytes(.english))
            #expect(hasScript == root.all.contains { $0.name == "script" })
            return root
        }
        for origin in ["https://notes.example", "http://127.0.0.1:8080", "https://[::1]:8443"] {
            let script = try root(origin).all.first { $0.name == "script" }
            #expect(script?["data-origin"] == origin && script?["data-token"] == "t")
        }
        for origin in [
            "*", "/", "", "null", "https://", "https://*", "https://a/", "https://a b", "file://", "https://a@b",
        ] {
            #expect(try !root(origin).all.contains { $0.name == "script" }, "\(origin)")
        }
    }

    @Test func aLineHasNoBreaksAndNothingInvisible() {
        #expect(PlainText.line("  Notes\r\nBcc: x\u{202E}y\u{200B}z\u{0} \u{2029}") == "Notes Bcc: xyz")
        #expect(PlainText.line(String(repeating: "a", count: 300)).count == 201)
        #expect(PlainText.line("👩‍👩‍👧 می‌خواهم") == "👩‍👩‍👧 می‌خواهم")
        #expect(PlainText.paragraphs("a\r\n\r\n \nb\u{2029}c\n") == ["a", "b", "c"])
    }
}
