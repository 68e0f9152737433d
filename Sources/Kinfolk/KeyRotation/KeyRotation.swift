/// What a rotation of the keys did.
public struct KeyRotation: Hashable, Sendable {
    /// How many accounts were sealed anew.
    public let accounts: Int

    /// The file that holds the service key as it was, or nil if there was none or it is the host's. Copies of the store that
    /// were made before need it. It opens nothing of what the store holds now.
    public let oldKeyPath: String?

    /// How far a rotation has come.
    public struct Progress: Sendable {
        /// How many accounts are done.
        public let accounts: Int
        /// How many there were when it began or went on.
        public let total: Int
    }
}
