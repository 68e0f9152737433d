import Kinfolk

/// What a request brings to prove who it is from.
enum Credentials {
    case none
    case token(api: String, web: String?)
    case signature(ServerSignature)

    /// Some clients encode the token twice. A token has no percent sign.
    private static func once(_ token: String) -> String { QueryItems.decoded(token[...]) ?? token }

    /// Headers for clients that want no tokens in URLs.
    private static let apiTokenHeader = "x-apple-cloudkit-api-token"
    private static let webTokenHeader = "x-apple-cloudkit-web-auth-token"

    init(_ head: WebRequest.Head) throws(WebError) {
        if let signature = try ServerSignature(head) {
            self = .signature(signature)
            return
        }
        let query = QueryItems(head.query)
        guard let api = query["ckAPIToken"] ?? head.header(Credentials.apiTokenHeader) else {
            self = .none
            return
        }
        // The first version of CloudKit JS calls it a session.
        let web = query["ckWebAuthToken"] ?? query["ckSession"] ?? head.header(Credentials.webTokenHeader)
        self = .token(api: api, web: web.flatMap { $0.isEmpty ? nil : Credentials.once($0) })
    }
}
