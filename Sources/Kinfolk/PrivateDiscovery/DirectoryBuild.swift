/// Building a directory.
public enum DirectoryBuild {
    /// How far it has come.
    public struct Progress: Sendable {
        /// How many people of the container were looked at, in this call.
        public let people: Int
        /// How many there were to look at when it began.
        public let total: Int
    }
}
