/// What the deletion of a container removed.
public struct ContainerDeletion: Hashable, Sendable {
    /// How many people had a user record ID there; after an interruption, how many of them this call removed.
    public let people: Int

    /// Whether the store's write-ahead log may still hold what was deleted, because a reader holds it. It is emptied after one
    /// of the next writes, or when the store is closed.
    public let isPending: Bool

    /// How far a deletion has come.
    public struct Progress: Sendable {
        /// How many people were removed by this call.
        public let people: Int

        /// How many there were when it began.
        public let total: Int
    }
}
