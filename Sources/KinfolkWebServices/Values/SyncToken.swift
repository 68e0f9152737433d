import Kinfolk
import KinfolkCrypto
import KinfolkJSON

/// Server change tokens, in base64.
enum SyncToken {
    static func json(_ token: ServerChangeToken) -> JSON { .string(Base64.text(token.bytes)) }

    /// The token in a member. An empty text is no token.
    static func token(_ name: String, in members: Members) throws(WebError) -> ServerChangeToken? {
        guard let text = try members.text(name), !text.isEmpty else { return nil }
        guard let bytes = Base64.bytes(text) else { throw .malformed(name, "a token of this service") }
        do throws(KinfolkError) { return try ServerChangeToken(bytes: bytes) } catch {
            throw .malformed(name, "a token of this service")
        }
    }
}
