import Kinfolk
import KinfolkCrypto

/// Finds out who sends a request.
struct Authenticator {
    let services: WebServices

    /// The caller of a request about a container.
    ///
    /// An unknown container, an unknown token and one of another container get the same answer.
    ///
    /// - Throws: ``WebError`` with `AUTHENTICATION_FAILED` if the request does not prove who it is from, with `AUTHENTICATION_REQUIRED` if it
    ///   has a web auth token that is not valid any more.
    func caller(_ request: WebRequest, _ path: RequestPath) throws(WebError) -> Caller {
        switch try Credentials(request.head) {
        case .none: throw WebError(.authenticationFailed, "No authentication method was found: send an API token.")
        case .signature(let signature): return try server(signature, request, path)
        case .token(let api, let web):
            guard let container = try container(path), let token = try apiToken(api, of: container) else {
                throw WebError(.authenticationFailed, "The API token is not valid for this container and environment.")
            }
            try requireOrigin(request.head, token)
            guard let web else { return application(container, token, request.head) }
            return try person(web, container, token, request.head)
        }
    }

    // MARK: Containers and applications

    /// The container in the path; nil if there is none.
    func container(_ path: RequestPath) throws(WebError) -> Container? {
        do throws(KinfolkError) {
            return try services.container(path.container, path.environment)
        } catch  where error.code == .unknownItem || error.code == .invalidArgument {
            return nil
        } catch { throw WebError(error) }
    }

    func apiToken(_ text: String, of container: Container) throws(WebError) -> APIToken? {
        do throws(KinfolkError) { return try container.apiToken(text) } catch  where error.code == .unknownItem {
            services.forget(container)
            return nil
        } catch { throw WebError(error) }
    }

    private func application(_ container: Container, _ token: APIToken, _ head: WebRequest.Head) -> Caller {
        Caller(
            credential: .apiToken(token.tag),
            session: container.anonymousSession(),
            user: nil,
            applicationKey: Authenticator.key(of: token),
            mayDiscover: token.allowsDiscovery,
            apiToken: token,
            origin: head.header("origin")
        )
    }

    private static func key(of token: APIToken) -> String { Hexadecimal.text(token.tag.bytes) }

    /// Browsers name the page from which a request comes. It must be one of the token's.
    private func requireOrigin(_ head: WebRequest.Head, _ token: APIToken) throws(WebError) {
        guard let origin = head.header("origin") else { return }
        guard token.origins.contains(origin) || origin == services.configuration.origin else {
            throw WebError(.accessDenied, "The API token does not allow requests from pages of this origin.")
        }
    }

    // MARK: People

    private func person(
        _ web: String,
        _ container: Container,
        _ token: APIToken,
        _ head: WebRequest.Head
    ) throws(WebError) -> Caller {
        let found = try calling { () throws(KinfolkError) in
            try container.session(webAuthToken: web, apiToken: token)
        }
        guard let found else { throw services.needsSignIn(application(container, token, head)) }
        return Caller(
            credential: .webSession(found.session.device),
            session: found.session,
            user: found.session.recordID,
            applicationKey: Authenticator.key(of: token),
            mayDiscover: token.allowsDiscovery,
            apiToken: token,
            origin: head.header("origin"),
            signedInAt: found.webSession.signedInAt,
            renewedToken: found.renewed
        )
    }

    // MARK: Servers

    private func server(
        _ signature: ServerSignature,
        _ request: WebRequest,
        _ path: RequestPath
    ) throws(WebError) -> Caller {
        let now = services.service.clock()
        let date = try signature.validDate(at: now)
        guard let isRight = services.configuration.verifySignature, let container = try container(path),
            let key = try serverKey(signature.keyID, of: container)
        else { throw ServerSignature.refusal }
        let r = try signature.check(body: request.body) { isRight($0, $1, key.publicKey) }
        let isNew = try calling { () throws(KinfolkError) in
            try container.noteSignature(r, of: key, validUntil: signature.end(after: date))
        }
        guard isNew else { throw ServerSignature.refusal }
        let session: Session
        do throws(KinfolkError) { session = try container.session(for: services.service.account(key.account)) } catch {
            guard error.code == .unknownItem || error.code == .notAuthenticated else { throw WebError(error) }
            throw ServerSignature.refusal
        }
        return Caller(
            credential: .serverKey(signature.keyID),
            session: session,
            user: session.recordID,
            applicationKey: signature.keyID,
            mayDiscover: false
        )
    }

    func serverKey(_ id: String, of container: Container) throws(WebError) -> ServerKey? {
        do throws(KinfolkError) { return try container.serverKey(id) } catch {
            guard error.code == .unknownItem || error.code == .invalidArgument else { throw WebError(error) }
            // It may be the container that is unknown.
            if error.code == .unknownItem { services.forget(container) }
            return nil
        }
    }
}
