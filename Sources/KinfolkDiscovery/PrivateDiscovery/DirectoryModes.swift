/// How people can be found in a container.
///
/// ```swift
/// try container.setDirectoryModes([.hashed, .private])
/// ```
public struct DirectoryModes: OptionSet, Hashable, Sendable {
    /// The same values as in C: 1 for hashed, 2 for private.
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// By contact hashes, which the server sees: `Session.discover(_:)` with an address or a contact book.
    public static let hashed = DirectoryModes(rawValue: 1)

    /// By private discovery: the server sees no contact. ``PrivateDiscoveryClient``, `Session.answer(_:threads:)`.
    public static let `private` = DirectoryModes(rawValue: 2)
}
