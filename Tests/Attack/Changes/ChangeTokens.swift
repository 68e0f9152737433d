import Kinfolk

/// A server change token leads only to what it was made for, and the changes of a private database are its user's alone.
struct ChangeTokens: Experiment {
    let name = "tokens"
    let promise = "change tokens"

    func run(_ length: Length) throws -> [Finding] {
        try ForgedTokens().findings()
            + MovedTokens(rounds: length.choose(short: 10, long: 200)).findings()
            + ChangeLearning(zones: length.choose(short: 4, long: 30)).findings()
    }
}
