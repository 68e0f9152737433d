import Kinfolk
import KinfolkJSON

/// A request of the protocol, from its path to its answer.
struct DatabaseRequest {
    let services: WebServices
    let request: WebRequest
    /// As whom the request took its turn.
    let sender: FairWorkers.Sender

    /// How deep the brackets of a body may be nested. The most nested value of the key-value store needs the most.
    private static let maximumDepth = 80
    /// How many values a body has: 2 MB of the smallest fields have fewer.
    private static let maximumCount = 500_000

    func response() -> WebResponse {
        var caller: Caller?
        do throws(WebError) {
            guard let path = RequestPath(request.head.path) else { throw DatabaseRequest.nothing }
            guard let operation = Operation.at(path) else { throw DatabaseRequest.nothing }
            guard request.head.method == "POST" || request.head.method == "GET" && operation.allowsGET else {
                var refusal = WebResponse(WebError(.badRequest, "This operation needs the method POST."), status: 405)
                refusal.headers.append(("allow", operation.allowsGET ? "GET, POST" : "POST"))
                return refusal
            }
            let known = try Authenticator(services: services).caller(request, path)
            caller = known
            services.senders.note(known, of: request.head, sender)
            try services.limiters.countRequest(of: known)
            let scope = try scope(path, operation, known)
            if operation.needsRecentSignIn { try requireRecentSignIn(known) }
            let call = Call(
                services: services,
                caller: known,
                scope: scope,
                head: request.head,
                body: request.body,
                members: try operation.readsJSON ? members() : Members([])
            )
            return finished(try operation.answer(call).response, known)
        } catch { return finished(WebResponse(error), caller) }
    }

    static var nothing: WebError { WebError(.notFound, "There is no such operation.") }

    private func scope(_ path: RequestPath, _ operation: Operation, _ caller: Caller) throws(WebError) -> DatabaseScope
    {
        let database = path.database ?? ""
        guard operation.databases.contains(database) else {
            guard database == "shared" else { throw DatabaseRequest.nothing }
            throw WebError(.badRequest, "Kinfolk has no shared database.")
        }
        let scope: DatabaseScope = database == "private" ? .private : .public
        switch caller.kind {
        case .application where scope == .private || operation.needsUser: throw services.needsSignIn(caller)
        case .server where scope == .private || !operation.allowsServers:
            throw DatabaseRequest.serverRefusal
        default: return scope
        }
    }

    static var serverRefusal: WebError {
        WebError(.authenticationFailed, "A server-to-server key cannot be used for this operation or database.")
    }

    /// How many seconds a sign-in counts as recent.
    private static let recent = 600.0

    private func requireRecentSignIn(_ caller: Caller) throws(WebError) {
        guard let signedInAt = caller.signedInAt,
            services.service.clock().seconds(since: signedInAt) < DatabaseRequest.recent
        else {
            throw services.needsSignIn(caller)
        }
    }

    /// The members of the body. An empty body counts as an empty object.
    private func members() throws(WebError) -> Members {
        guard !request.body.isEmpty else { return Members([]) }
        let json: JSON
        do throws(JSONText.Fault) {
            json = try JSONText.value(
                in: request.body[...],
                maximumDepth: DatabaseRequest.maximumDepth,
                maximumCount: DatabaseRequest.maximumCount,
                readsHugeNumbers: true
            )
        } catch {
            throw WebError(.badRequest, "The body is not JSON: \(error.reason) (byte \(error.column)).")
        }
        guard case .object(let members) = json else { throw WebError(.badRequest, "The body is not a JSON object.") }
        return Members(members)
    }

    /// The answer with what concerns the caller.
    private func finished(_ response: WebResponse, _ caller: Caller?) -> WebResponse {
        var response = response
        if let token = caller?.renewedToken { response.headers.append(("x-apple-cloudkit-web-auth-token", token)) }
        return response
    }
}
