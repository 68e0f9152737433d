/// The result of deleting a container.
public struct ContainerDeletion: Hashable, Sendable {
    /// How many people had a user record ID in the container. If the deletion was interrupted and resumed, how many of them this
    /// call removed.
    public let people: Int

    /// Whether the store's write-ahead log may still contain deleted data, because a reader uses it. The log is emptied after one
    /// of the next writes, or when the store is closed.
    public let isPending: Bool

    /// The progress of a deletion.
    public struct Progress: Sendable {
        /// How many people this call has removed.
        public let people: Int

        /// How many people there were when the call began.
        public let total: Int
    }
}
