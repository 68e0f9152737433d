package import KinfolkCrypto
package import KinfolkFiles
public import KinfolkModel
import KinfolkStorage

/// Where the service key comes from.
///
/// ```swift
/// _ = try Service.open("kinfolk.db", key: .file("/etc/kinfolk.key"))
/// _ = try Service.open("kinfolk.db", key: .bytes(keyFromYourKMS))
/// _ = try Service.open("kinfolk.db", key: .passphrase(typed))
/// ```
public struct KeySource: Sendable {
    package enum Kind: Sendable {
        case besideStore
        case file(FilePath)
        case bytes(SecretBytes?)
        case passphrase(SecretBytes?)
    }

    package let kind: Kind

    /// A key file in the folder of the store: `kinfolk.key` for `kinfolk.db`; for any other name, `.key` is appended. Only for
    /// stores in files.
    public static let besideStore = KeySource(kind: .besideStore)

    /// A key file.
    public static func file(_ path: String) -> KeySource { .file(FilePath(path)) }

    package static func file(_ path: FilePath) -> KeySource { KeySource(kind: .file(path)) }

    /// A key of 32 bytes that the host keeps, for example in a KMS or a keychain. The bytes are copied to locked memory and
    /// zeroed after use.
    public static func bytes(_ bytes: [UInt8]) -> KeySource { bytes.withUnsafeBytes(KeySource.bytes) }

    package static func bytes(_ bytes: UnsafeRawBufferPointer) -> KeySource {
        KeySource(kind: .bytes(try? SecretBytes(copying: bytes)))
    }

    /// A passphrase. The key is derived from it by Argon2id, with a salt that the store holds. This takes about a second and 256
    /// MiB.
    public static func passphrase(_ text: String) -> KeySource {
        var text = text
        return text.withUTF8 { KeySource.passphrase(UnsafeRawBufferPointer($0)) }
    }

    package static func passphrase(_ text: UnsafeRawBufferPointer) -> KeySource {
        KeySource(kind: .passphrase(try? SecretBytes(copying: text)))
    }

    /// The same source with an absolute path, independent of later changes of the working directory.
    package var resolved: KeySource {
        guard case .file(let path) = kind, !path.isEmpty else { return self }
        return .file(path.absolute)
    }

    /// The path of the key file, or nil if the key is not in a file.
    package func path(forStore store: FilePath) -> FilePath? {
        switch kind {
        case .besideStore where Store.isServer(store): nil
        case .besideStore: store.hasSuffix(".db") ? store.dropLast(3) + ".key" : store + ".key"
        case .file(let path): path
        case .bytes, .passphrase: nil
        }
    }
}

extension KeySource: Redacted {}
