/// An epoch of a container's private directory: everybody who can be found, under one key.
public struct PrivateEpoch: Hashable, Sendable {
    /// Its number, from 1. Messages name it.
    public let number: UInt32

    /// What the application gives its clients by a way of its own, in its package say, so that they can check that the
    /// server uses the same key for everybody: 32 bytes, an element of ristretto255 (RFC 9496).
    public let publicKey: [UInt8]

    /// Whether everybody is in it. Before that it answers nobody.
    public let isComplete: Bool

    /// Whether it has only a key so far, which clients can be given before the epoch answers.
    public let isAnnounced: Bool

    /// How many rows it has: one for each address by which somebody can be found.
    public let rowCount: Int

    /// How many bits of a contact's bucket position a client tells: 0 means that it asks for all rows.
    public let prefixBits: Int
}
