import KinfolkModel

/// How long web sessions and what belongs to them are valid, in seconds.
enum WebSessionTimes {
    /// How long a sign-in code is valid.
    static let code = 60.0
    /// How long a token is valid after another has replaced it, for requests that are on their way.
    static let previousToken = 60.0
    /// How far the clocks of the machines that share a store may differ.
    static let clockDifference = 300.0

    /// How long a web session lasts without use.
    static func lifetime(isLasting: Bool) -> Double { isLasting ? 14 * 86_400 : 30 * 60 }

    /// How old a token is when a use replaces it.
    static func renewal(isLasting: Bool) -> Double { isLasting ? 86_400 : 5 * 60 }
}
