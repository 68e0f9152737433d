import Kinfolk
import KinfolkCrypto

/// A step of a sign-in that is proved by somebody else: the way to an OpenID Connect provider (`/sign-in/with/NUMBER`) and back
/// (`/sign-in/callback/ISSUER`), or the word of a proxy (`/sign-in/with/proxy`).
struct IdentityRequest {
    static let root = SignInRequest.root + "with/"
    static let callbackRoot = SignInRequest.root + "callback/"
    private static let proxy = "proxy"

    static func isPath(_ path: String) -> Bool { path.hasPrefix(root) || path.hasPrefix(callbackRoot) }

    private let request: SignInRequest
    private let query: QueryItems

    /// Nil if the path is another one.
    init?(_ request: SignInRequest) {
        guard IdentityRequest.isPath(request.head.path) else { return nil }
        self.request = request
        query = QueryItems(request.head.query)
    }

    private var services: WebServices { request.services }
    private var providers: [OpenIDProvider] { services.configuration.providers }

    /// The links of the first page.
    ///
    /// - Parameter flow: The text of the flow.
    static func links(_ flow: String, for head: WebRequest.Head, _ services: WebServices) -> [EmailPage.Provider] {
        func url(_ name: String) -> String { PageURL.adding("flow", flow, to: root + name) }
        let providers = services.configuration.providers.enumerated().map { number, provider in
            EmailPage.Provider(name: provider.name, url: url(String(number)))
        }
        guard let identity = services.configuration.proxySignIn?.identity(of: head) else { return providers }
        return [EmailPage.Provider(name: identity.subject, url: url(proxy), isPerson: true)] + providers
    }

    func page() throws(KinfolkError) -> WebResponse {
        let isCallback = request.head.path.hasPrefix(IdentityRequest.callbackRoot)
        // A browser that did not begin the sign-in does not have the cookie of the flow.
        guard request.head.method == "GET", request.cookie.isKnown, let text = query[isCallback ? "state" : "flow"],
            let flow = try SignInFlow(text, ofBrowser: request.cookie.hash, services.service)
        else { return request.error(.formRejected) }
        let link = flow.ticket.isEmpty ? nil : try SignInLink(flow.ticket, services)
        guard flow.ticket.isEmpty || link != nil else { return request.error(.linkExpired) }
        let steps = SignInSteps(request: request, link: link, flow: flow)
        let name = request.head.path.dropFirst(IdentityRequest.root.count)
        if isCallback { return try takeAnswer(steps) }
        if name == IdentityRequest.proxy { return try askProxy(steps) }
        guard let number = Int(name), providers.indices.contains(number) else { return request.error(.pageNotFound) }
        return try leave(for: providers[number], flow)
    }

    private func askProxy(_ steps: SignInSteps) throws(KinfolkError) -> WebResponse {
        guard let identity = services.configuration.proxySignIn?.identity(of: request.head) else {
            return request.error(.formRejected, startURL: steps.path)
        }
        return try steps.goOn(with: identity)
    }

    private func leave(for provider: OpenIDProvider, _ flow: SignInFlow) throws(KinfolkError) -> WebResponse {
        guard let metadata = services.openID.metadata(of: provider, services) else {
            return request.error(.providerFailed(name: provider.name), startURL: flow.path)
        }
        var flow = flow
        let proof = SignInFlow.Proof(
            issuer: provider.issuer,
            nonce: Base64.text(SecureRandom.bytes(16), urlSafe: true),
            verifier: Base64.text(SecureRandom.bytes(32), urlSafe: true)
        )
        flow.proof = proof
        let state = try flow.text(services.service)
        let url = services.openID.authorizationURL(provider, metadata, state: state, proof, services)
        return WebResponse(status: 303, headers: [("location", url)] + WebResponse.privateHeaders)
    }

    private func takeAnswer(_ steps: SignInSteps) throws(KinfolkError) -> WebResponse {
        let proof = steps.flow.proof
        guard let proof, let provider = providers.first(where: { $0.issuer == proof.issuer }) else {
            return request.error(.formRejected, startURL: steps.path)
        }
        let failure = request.error(.providerFailed(name: provider.name), startURL: steps.path)
        // The answer of another provider: by its path, which this service gave to each provider, or by its issuer (RFC 9207, section 2.4).
        let issuer = query["iss"]
        guard request.head.path == provider.callbackPath, issuer == nil || issuer == provider.issuer,
            let metadata = services.openID.metadata(of: provider, services), issuer != nil || !metadata.namesIssuer
        else { return failure }
        guard let code = query["code"] else {
            // The person has changed their mind.
            return query["error"] == "access_denied" ? try steps.start() : failure
        }
        if let refusal = request.countTry() { return refusal }
        guard let identity = services.openID.identity(provider, code: code, proof, services) else { return failure }
        return try steps.goOn(with: identity)
    }
}
