import KinfolkCore
import KinfolkCrypto

/// A secret of 256 random bits that a caller presents. The store has only its tag.
struct RandomToken {
    static let length = 32

    let bytes: [UInt8]

    /// What a token is for. A token for one purpose is invalid for another.
    enum Purpose {
        case api, web, code

        fileprivate var label: StaticString {
            switch self {
            case .api: "kinfolk api token"
            case .web: "kinfolk web auth token"
            case .code: "kinfolk sign-in code"
            }
        }
    }

    static func make() -> RandomToken { RandomToken(bytes: SecureRandom.bytes(length)) }

    /// Nil if there are not exactly ``length`` bytes.
    init?(_ bytes: [UInt8]?) {
        guard let bytes, bytes.count == RandomToken.length else { return nil }
        self.bytes = bytes
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// The first 16 bytes of a SHA-256. A key would add nothing: nobody can guess 256 random bits. Rows are found by tags, so the time of
    /// a search may depend on a tag, from which no token can be computed.
    func tag(_ purpose: Purpose) -> Tag {
        var encoding = RowEncoding(purpose.label)
        encoding.append(bytes)
        return encoding.digest
    }
}
