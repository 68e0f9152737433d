import Kinfolk
import KinfolkJSON
import KinfolkThreads
import KinfolkWebServices
import ServiceSupport
import TestSupport
import Testing

/// A client of CloudKit Web Services, without a network.
struct WebClient {
    let services: WebServices
    /// In development, where saving a record adds to the schema.
    let container: Container
    let apiToken: APIToken
    /// The query of each request.
    var query: String

    /// A client of a person, or of an application alone.
    init(_ store: TestService, for email: String? = nil, _ configuration: WebConfiguration = WebConfiguration()) throws
    {
        services = WebServices(store.service, configuration)
        container = try store.service.container(store.container.name, environment: .development)
        let (token, description) = try container.createAPIToken(
            named: "\(RecordID().name)",
            origins: ["https://app.example.com"],
            returnURLs: ["https://app.example.com/signed-in"],
            allowsDiscovery: true
        )
        apiToken = description
        query = "ckAPIToken=" + token
        guard let email else { return }
        let account = try store.service.account(email: EmailAddress(email))
        let webAuthToken = try container.beginWebSession(for: account, apiToken: description, isLasting: false)
        query += "&ckWebAuthToken=" + webAuthToken
    }

    /// The answer to a request with a body, or to one with the method GET.
    func ask(_ operation: String, in database: String = "private", _ body: String? = "{}") -> WebReply {
        let path = "/database/1/\(container.name)/development/\(database)/\(operation)"
        return send(
            WebRequest.Head(method: body == nil ? "GET" : "POST", path: path, query: query),
            Array((body ?? "").utf8)
        )
    }

    func send(_ head: WebRequest.Head, _ body: [UInt8] = []) -> WebReply {
        let reply = Lock<WebReply?>(nil)
        switch services.intake(for: head) {
        case .whole, .unread:
            services.answer(WebRequest(head, body: body)) { response in
                // Before the client can ask again.
                response.whenSent?()
                reply.set(WebReply(response))
            }
        case .answer(let response): reply.set(WebReply(response))
        case .upload(let upload):
            upload.write(body) { refusal in
                if let refusal { return reply.set(WebReply(refusal)) }
                upload.finish { reply.set(WebReply($0)) }
            }
        }
        let answer: WebReply?? = reply.withLock(when: { $0 != nil }, until: .never) { $0 }
        return (answer ?? nil) ?? WebReply(WebResponse(status: 0))
    }
}

extension Lock<WebReply?> {
    fileprivate func set(_ reply: WebReply) { withLock { $0 = reply } }
}
