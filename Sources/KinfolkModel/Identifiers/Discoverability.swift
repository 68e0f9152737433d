/// Whether others may find a person in a container.
public enum Discoverability: Int32, Sendable, CaseIterable {
    /// The person was never asked, or did not answer.
    case undetermined = 0
    /// The person opted in.
    case granted = 1
    /// The person opted out.
    case denied = 2
}
