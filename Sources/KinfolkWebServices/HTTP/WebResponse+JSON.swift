import KinfolkJSON

extension WebResponse {
    /// Of each answer that is not for everybody: no cache keeps it, and no other site learns its URL.
    public static let privateHeaders: [(name: String, value: String)] = [
        ("cache-control", "no-store"), ("referrer-policy", "no-referrer"), ("x-content-type-options", "nosniff"),
    ]

    init(_ json: JSON, status: Int = 200) {
        self.init(
            status: status,
            headers: [("content-type", "application/json; charset=utf-8")] + WebResponse.privateHeaders,
            body: .bytes(json.bytes)
        )
    }

    init(_ error: WebError, status: Int? = nil) {
        self.init(.object(error.members), status: status ?? error.code.status)
        if let seconds = error.retryAfter { headers.append(("retry-after", "\(Int(seconds.rounded(.up)))")) }
    }
}
