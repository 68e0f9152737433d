import Kinfolk
import KinfolkCrypto

/// The row of the store by which a caller has proved who it is. URLs and waits that a caller got are worth nothing once the row is gone.
enum Credential: Sendable {
    /// An application, by its API token.
    case apiToken(Tag)
    /// A person. The row stays when its web auth token is renewed.
    case webSession(RandomID)
    /// A server, by its key.
    case serverKey(String)

    /// Whether it still is a credential of the account in the container.
    ///
    /// - Parameter account: Nil for an application.
    func isValid(for account: AccountID?, in container: Container) throws(KinfolkError) -> Bool {
        switch (self, account) {
        case (.apiToken(let tag), nil): return try container.apiToken(tag) != nil
        case (.webSession(let id), let account?):
            return try Session(container: container, account: account, recordID: nil, device: id).hasWebSession()
        case (.serverKey(let id), let account?):
            do throws(KinfolkError) { return try container.serverKey(id).account == account } catch
                where error.code == .unknownItem
            { return false }
        default: return false
        }
    }

    /// Whether a wait may go on: its caller may have signed out since it began. Nobody is told that the store cannot be read.
    func allowsWait(of session: Session) -> Bool {
        do throws(KinfolkError) { return try isValid(for: session.account, in: session.container) } catch {
            return error.code == .serviceUnavailable
        }
    }

    // MARK: In tickets

    var bytes: [UInt8] {
        switch self {
        case .apiToken(let tag): [1] + tag.bytes
        case .webSession(let id): [2] + id.bytes
        case .serverKey(let id): [3] + Array(id.utf8)
        }
    }

    init?(bytes: ArraySlice<UInt8>) {
        let value = Array(bytes.dropFirst())
        switch bytes.first {
        case 1:
            guard let tag = value.withUnsafeBytes(Tag.init) else { return nil }
            self = .apiToken(tag)
        case 2:
            guard let id = value.withUnsafeBytes(RandomID.init(bytes:)) else { return nil }
            self = .webSession(id)
        case 3: self = .serverKey(String(decoding: value, as: UTF8.self))
        default: return nil
        }
    }
}
