import Kinfolk

/// What a browser is told about requests from pages of other origins (WHATWG Fetch, section 3.3).
///
/// There are no cookies, so that a page can do nothing that another program with the same tokens cannot. The origins of an API token still
/// keep other pages from using it in the browsers of their visitors.
struct CrossOrigin: Sendable {
    private static let methods = "GET, POST, PUT, OPTIONS"
    private static let requestHeaders = [
        "content-type", "last-event-id", "x-apple-cloudkit-api-token", "x-apple-cloudkit-web-auth-token",
    ]
    private static let answerHeaders = "x-apple-cloudkit-web-auth-token, retry-after"
    /// For how many seconds a browser remembers the answer.
    private static let lifetime = "600"

    /// The origin of the page; nil if it may not read the answer, or if the request does not come from a page.
    private let allowed: String?
    private let isFromPage: Bool

    init(_ head: WebRequest.Head, _ services: WebServices) {
        let origin = head.header("origin")
        isFromPage = origin != nil
        // Pages without an origin of their own, such as files and sandboxed frames, are not told apart.
        allowed = origin.flatMap { !["null", ""].contains($0) && CrossOrigin.isAllowed($0, head, services) ? $0 : nil }
    }

    private static func isAllowed(_ origin: String, _ head: WebRequest.Head, _ services: WebServices) -> Bool {
        if origin == services.configuration.origin { return true }
        guard let path = RequestPath(head.path) else {
            // The URL of a file or of a long poll is a secret itself.
            return AssetRequest(head, services) != nil || CourierRequest.isPath(head.path)
        }
        let authenticator = Authenticator(services: services)
        guard let container = (try? authenticator.container(path)) ?? nil else { return false }
        switch try? Credentials(head) {
        case .token(let api, _)?:
            return ((try? authenticator.apiToken(api, of: container)) ?? nil)?.origins.contains(origin) ?? false
        // The question of a browser has no headers of the request that it is about.
        case .some(.none) where head.method == "OPTIONS":
            return ((try? container.apiTokens()) ?? []).contains { $0.origins.contains(origin) }
        default: return false
        }
    }

    /// The answer to the question of a browser whether a page may send a request.
    func preflight() -> WebResponse {
        var response = WebResponse(status: 204)
        if allowed != nil {
            response.headers += [
                ("access-control-allow-methods", CrossOrigin.methods),
                ("access-control-allow-headers", CrossOrigin.requestHeaders.joined(separator: ", ")),
                ("access-control-max-age", CrossOrigin.lifetime),
            ]
        }
        return response
    }

    /// The answer with the headers that let the page read it.
    func finished(_ response: WebResponse) -> WebResponse {
        var response = response
        // Caches must not give one page the answer for another.
        response.headers.append(("vary", "origin"))
        if let allowed {
            response.headers.append(("access-control-allow-origin", allowed))
            response.headers.append(("access-control-expose-headers", CrossOrigin.answerHeaders))
        }
        return response
    }
}
