import KinfolkWebServices

/// Answers of one line.
enum PlainAnswer {
    static let onlyGET = text("Only GET.", status: 405, more: [("allow", "GET, HEAD")])

    static func text(_ line: String, status: Int = 200, more: [(name: String, value: String)] = []) -> WebResponse {
        let headers = [(name: "content-type", value: "text/plain; charset=utf-8"), ("cache-control", "no-store")]
        return WebResponse(status: status, headers: headers + more, body: .bytes(Array("\(line)\n".utf8)))
    }
}
