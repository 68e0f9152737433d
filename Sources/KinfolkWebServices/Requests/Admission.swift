import Kinfolk

/// Finds out, before a large body is read, whether its sender may send one. It writes nothing.
struct Admission {
    let services: WebServices
    let head: WebRequest.Head

    func result() -> WebAdmission {
        do throws(WebError) {
            try services.limiters.countRequest(of: head)
            return .admitted(caller: try caller())
        } catch { return .refused(CrossOrigin(head, services).finished(WebResponse(error))) }
    }

    /// For whom the memory counts: an account, in all of its containers. An API token alone is public, so that everybody has it.
    private func caller() throws(WebError) -> String {
        let authenticator = Authenticator(services: services)
        guard let path = RequestPath(head.path), Operation.at(path) != nil else { throw WebServices.busy }
        switch try Credentials(head) {
        case .token(let api, let web?):
            guard let container = try authenticator.container(path),
                let token = try authenticator.apiToken(api, of: container)
            else { break }
            let account = try calling { () throws(KinfolkError) in
                try container.account(webAuthToken: web, apiToken: token)
            }
            if let account { return account.description }
        case .signature(let signature):
            // The signature itself is over the body.
            _ = try signature.validDate(at: services.service.clock())
            if let container = try authenticator.container(path),
                try authenticator.serverKey(signature.keyID, of: container) != nil
            {
                return signature.keyID
            }
        default: break
        }
        throw WebError(.authenticationFailed, "Only signed-in users and servers may send a body of this size.")
    }
}
