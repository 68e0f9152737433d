/// The progress of `Service.restore(_:from:key:replacingOther:wait:progress:)`.
public struct StoreRestore: Hashable, Sendable {
    /// The steps of a restore.
    public enum Step: Hashable, Sendable {
        /// The backup is being copied; counted in bytes.
        case copying
        /// The copy is being checked; counted in rows.
        case checking
    }

    /// The current step.
    public let step: Step
    /// How much of the step is done.
    public let done: Int
    /// How much there is to do in the step.
    public let total: Int
}
