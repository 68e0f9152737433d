/// The construction of a directory.
public enum DirectoryBuild {
    /// The progress of a construction.
    public struct Progress: Sendable {
        /// How many people of the container this call has processed.
        public let people: Int
        /// How many people there were to process when the call began.
        public let total: Int
    }
}
