import KinfolkCore
import KinfolkCrypto

/// The API tokens that reads of one connection have found, while nothing in the store has changed.
final class SeenAPITokens: KnownNotes {
    private struct Place: Hashable {
        let container: Int64
        let tag: Tag
    }

    private var tokens: [Place: APIToken] = [:]

    func token(_ tag: Tag, in container: Int64) -> APIToken? { tokens[Place(container: container, tag: tag)] }

    func note(_ token: APIToken, in container: Int64) { tokens[Place(container: container, tag: token.tag)] = token }
}
