import KinfolkCrypto
import Testing

@testable import KinfolkWebServices

/// The headers of the pages.
@Suite("Pages: headers") struct PagesHeaderTests {
    private func headers(_ page: any Page) -> [String: String] {
        Dictionary(page.headers.map { ($0.name, $0.value) }) { $1 }
    }

    private func hash(_ text: StaticString) -> String {
        "sha256-" + Base64.text(SHA256.hash(of: Array("\(text)".utf8)))
    }

    @Test func everyPageRefusesFramesScriptsCachesAndReferrers() {
        for (name, page) in PagesSamples().all {
            let headers = headers(page)
            let script = name == "done-window" ? "; script-src '\(hash(PageScript.text))'" : ""
            #expect(
                headers["content-security-policy"]
                    == "default-src 'none'; style-src '\(hash(Stylesheet.text))'\(script); form-action 'self'; "
                    + "frame-ancestors 'none'; base-uri 'none'",
                "\(name)"
            )
            #expect(headers["content-type"] == "text/html; charset=utf-8")
            #expect(headers["cache-control"] == "no-store" && headers["referrer-policy"] == "no-referrer")
            #expect(headers["x-frame-options"] == "DENY" && headers["x-content-type-options"] == "nosniff")
            #expect(headers["permissions-policy"]?.contains("camera=()") == true)
        }
    }

    @Test func onlyTheWindowOfAnApplicationKeepsItsOpener() {
        for (name, page) in PagesSamples().all {
            let expected = page.place.isOpened ? "unsafe-none" : "same-origin"
            #expect(headers(page)["cross-origin-opener-policy"] == expected, "\(name)")
        }
        #expect(PagesSamples().all.contains { $0.page.place.isOpened })
    }

    @Test func theHashesAreThoseOfWhatStandsInThePage() throws {
        let samples = PagesSamples().all
        let page = try #require(samples.first { $0.name == "done-window" }?.page)
        let html = String(decoding: page.bytes(.english), as: UTF8.self)
        #expect(html.contains("<style>\(Stylesheet.text)</style>"))
        #expect(html.contains("\">\(PageScript.text)</script>"))
    }

    @Test func aResponseHasTheStatusOfItsReason() {
        let place = PagePlace(url: "/")
        #expect(ErrorPage(place, .pageNotFound).response(.english).status == 404)
        #expect(ErrorPage(place, .serviceUnavailable).response(.english).status == 503)
        #expect(ErrorPage(place, .tooManyRequests(minutes: 1)).response(.english).status == 429)
        #expect(EmailPage(place, application: nil).response(.english).status == 200)
    }
}
