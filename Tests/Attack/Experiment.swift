/// An attempt to break one promise.
protocol Experiment: Sendable {
    /// Its name on the command line.
    var name: String { get }
    /// The promise, in a few words.
    var promise: String { get }
    func run(_ length: Length) throws -> [Finding]
}

/// How much is tried: everything, or only what `make test` has time for.
enum Length {
    case short, long

    func choose<Value>(short: Value, long: Value) -> Value { self == .short ? short : long }
}

/// An attack that was tried, and its result.
struct Finding {
    let tried: String
    let found: String
    let isHeld: Bool

    init(_ tried: String, _ found: String, isHeld: Bool) {
        self.tried = tried
        self.found = found
        self.isHeld = isHeld
    }
}

/// Thrown if an experiment could not be run as intended, so that its result would say nothing.
struct ExperimentFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
