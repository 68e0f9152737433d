/// An attempt to break one promise.
protocol Experiment: Sendable {
    /// How it is called on the command line.
    var name: String { get }
    /// What is promised, in a few words.
    var promise: String { get }
    func run(_ length: Length) throws -> [Finding]
}

/// How much is tried: everything, or what fits into the tests of every day.
enum Length {
    case short, long

    func choose<Value>(short: Value, long: Value) -> Value { self == .short ? short : long }
}

/// What was tried, and what came of it.
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

/// Something that keeps an experiment from being one.
struct ExperimentFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
