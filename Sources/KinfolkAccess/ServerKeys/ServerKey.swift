public import KinfolkModel

/// The public key of a server, which signs its requests to the network service (ECDSA with P-256). The server acts as a user of its own.
public struct ServerKey: Hashable, Sendable {
    /// The SHA-256 of the public key, as 64 lower-case hexadecimal digits.
    public let id: String
    /// The name that the operator gave it.
    public let name: String
    /// The public key: 65 bytes, a point in the uncompressed form of X9.63.
    public let publicKey: [UInt8]
    /// The account that was made for the key.
    public let account: AccountID
    /// When it was added.
    public let createdAt: Timestamp

    /// The bytes of ``id``.
    package let keyID: [UInt8]

    package init(
        keyID: [UInt8],
        name: String,
        publicKey: [UInt8],
        account: AccountID,
        createdAt: Timestamp
    ) {
        id = Hexadecimal.text(keyID)
        self.keyID = keyID
        self.name = name
        self.publicKey = publicKey
        self.account = account
        self.createdAt = createdAt
    }
}
