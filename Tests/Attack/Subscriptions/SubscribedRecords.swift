import Kinfolk

/// Notifications tell of nothing that a fetch at the same moment would not return, and nothing about records that cannot be read.
struct SubscribedRecords: Experiment {
    let name = "subscriptions"
    let promise = "subscriptions"

    func run(_ length: Length) throws -> [Finding] {
        try [
            SubscriptionReach(steps: length.choose(short: 600, long: 6_000)).finding(),
            SubscriptionOracle(secrets: length.choose(short: 1_200, long: 12_000)).finding(),
        ]
    }
}
