/// Where the service key comes from.
public enum KeySource: Sendable {
    /// A key file beside the store: `kinfolk.db` has `kinfolk.key`, and any other name has `.key` added.
    case besideStore
    /// A key file.
    case file(String)
    /// A key of 32 bytes that the host keeps, in a KMS or a keychain for example.
    case bytes([UInt8])

    /// The path of the key file, or nil if the host keeps the key.
    package func path(forStore store: String) -> String? {
        switch self {
        case .besideStore: store.hasSuffix(".db") ? store.dropLast(3) + ".key" : store + ".key"
        case .file(let path): path
        case .bytes: nil
        }
    }
}
