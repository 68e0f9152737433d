import Kinfolk
import KinfolkCrypto

/// The link to the pages of a sign-in, which an application gets when it needs a signed-in person.
struct SignInLink {
    /// How many seconds the link is valid.
    private static let validity = 86_400.0

    let container: Container
    /// The token of the application.
    let token: APIToken
    /// The origin of the page that asked; nil if no page did.
    let origin: String?

    /// The URL for a caller who has to sign in.
    ///
    /// - Parameter origin: The origin of the page that asks.
    static func url(for caller: Caller, origin: String?, _ services: WebServices) -> String? {
        guard let token = caller.apiToken else { return nil }
        let subject = token.tag.bytes + Array((origin ?? "").utf8)
        let ticket = Ticket(.signIn, caller, .public, lasting: validity, subject: subject)
        guard let text = try? ticket.text(services.service) else { return nil }
        return services.configuration.origin + SignInRequest.root + text
    }

    /// Nil if the link is not valid any more.
    init?(_ text: String, _ services: WebServices) throws(KinfolkError) {
        guard let ticket = try Ticket(text, for: .signIn, services.service), ticket.subject.count >= Tag.length else {
            return nil
        }
        let tag = Array(ticket.subject.prefix(Tag.length))
        let origin = String(decoding: ticket.subject.dropFirst(Tag.length), as: UTF8.self)
        container = try services.container(of: ticket)
        guard let token = try container.apiTokens().first(where: { $0.tag.bytes == tag }) else { return nil }
        self.token = token
        self.origin = origin.isEmpty ? nil : origin
    }
}
