import Kinfolk
import KinfolkThreads

/// The observation that is registered for a handle, if there is one.
final class ObservationSlot<Observation: Sendable>: Sendable {
    private let observation = Lock<Observation?>(nil)
    private let end: @Sendable (Observation) -> Void

    /// - Parameter end: Ends an observation. Its callback is not running when this returns.
    init(_ end: @escaping @Sendable (Observation) -> Void = { _ in }) { self.end = end }

    /// Ends the observation, and puts another one in its place.
    func replace(by new: Observation? = nil) {
        // Outside of the lock: the end waits for the callback, and the callback may call this function.
        let old = observation.withLock { observation in
            defer { observation = new }
            return observation
        }
        if let old { end(old) }
    }
}
