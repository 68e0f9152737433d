/// A page that a person sees in a browser: the values it shows, and how it shows them.
///
/// A page works without JavaScript. Each form is a POST, so that no link changes anything.
protocol Page: Sendable {
    var place: PagePlace { get }
    /// The HTTP status.
    var status: Int { get }
    /// Where the browser goes at once; nil if it stays.
    var destination: String? { get }
    /// The script of the page, which runs at its end; nil if it has none.
    var script: PageScript? { get }
    func title(_ texts: PageTexts) -> PageTitle
    /// What is wrong with the form that was sent; nil if the page is shown for the first time.
    func problem(_ texts: PageTexts) -> PageProblem?
    /// Writes what follows the title.
    func write(_ page: inout PageWriter)
}

extension Page {
    var status: Int { 200 }
    var destination: String? { nil }
    var script: PageScript? { nil }
    func problem(_ texts: PageTexts) -> PageProblem? { nil }

    /// The page in HTML.
    func bytes(_ language: PageLanguage) -> [UInt8] {
        var page = PageWriter(language, place)
        page.html.constant("<!DOCTYPE html>\n")
        page.element("html", ["lang": language.rawValue]) { page in
            page.element("head") { head(&$0) }
            page.element("body") { page in
                page.element("main", ["id": "main"]) { main(&$0) }
                page.element("footer") { languages(&$0) }
            }
        }
        page.html.constant("\n")
        return page.html.bytes
    }

    /// The page as the answer to a request.
    func response(_ language: PageLanguage) -> WebResponse {
        WebResponse(status: status, headers: headers, body: .bytes(bytes(language)))
    }

    private func head(_ page: inout PageWriter) {
        page.html.start("meta", ["charset": "utf-8"])
        page.html.start("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
        page.html.start("meta", ["name": "color-scheme", "content": "light dark"])
        page.html.start("meta", ["name": "robots", "content": "noindex"])
        if let destination, PageURL.isSafe(destination) {
            page.html.start("meta", ["http-equiv": "refresh", "content": "0; url=" + destination])
        }
        let title = title(page.texts)
        let prefix = problem(page.texts) == nil ? "" : page.texts.common.error.plain() + " "
        page.element("title") { $0.html.text(prefix + title.text.plain(title.values)) }
        page.element("style") { $0.html.constant(Stylesheet.text) }
    }

    private func main(_ page: inout PageWriter) {
        let title = title(page.texts)
        page.text("h1", title.text, title.values)
        if let problem = problem(page.texts) { page.summary(problem) }
        write(&page)
        guard let script else { return }
        page.element("script", ["data-token": script.token, "data-origin": script.origin]) {
            $0.html.constant(PageScript.text)
        }
    }

    private func languages(_ page: inout PageWriter) {
        page.element("nav", ["aria-label": page.texts.common.languages.plain()]) { page in
            page.element("ul", ["class": "languages"]) { page in
                for language in PageLanguage.allCases {
                    page.element("li") { page in
                        guard language != page.language else {
                            return page.element("span", ["aria-current": "true"]) { $0.html.text(language.name) }
                        }
                        let tag = language.rawValue
                        let url = PageURL.adding("lang", tag, to: place.url)
                        page.element("a", ["href": url, "hreflang": tag, "lang": tag]) { $0.html.text(language.name) }
                    }
                }
            }
        }
    }
}
