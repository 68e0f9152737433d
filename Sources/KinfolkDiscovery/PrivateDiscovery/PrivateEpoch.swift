/// An epoch of a container's private directory: the rows of everybody who can be found, under one key.
public struct PrivateEpoch: Hashable, Sendable {
    /// The epoch's number, from 1. Messages contain it.
    public let number: UInt32

    /// The epoch's public key: 32 bytes, an element of ristretto255 (RFC 9496). Give it to the application's clients in another
    /// way, for example in its package, so that they can check that the server uses the same key for everybody.
    public let publicKey: [UInt8]

    /// Whether everybody is in it. Before that it does not answer.
    public let isComplete: Bool

    /// Whether it only has a key so far, which can be given to clients before the epoch answers.
    public let isAnnounced: Bool

    /// How many rows it has: one for each address by which a person can be found.
    public let rowCount: Int

    /// How many bits of a contact's bucket position a client reveals; 0 if it requests all rows.
    public let prefixBits: Int
}
