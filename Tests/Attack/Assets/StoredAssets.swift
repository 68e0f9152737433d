import Kinfolk

/// Nobody reads or names an asset without the right to do so, no edit of the store gives wrong bytes, and no quota is exceeded or leaks.
struct StoredAssets: Experiment {
    let name = "assets"
    let promise = "assets and quotas"

    func run(_ length: Length) throws -> [Finding] {
        try AssetReach().findings()
            + [HiddenAssets().finding()]
            + EditedAssets(size: length.choose(short: 1_300_000, long: 3_000_000)).findings()
            + AssetRevocation(rounds: length.choose(short: 8, long: 100)).findings()
            + [AssetRaces(rounds: length.choose(short: 15, long: 400)).finding()]
            + QuotaRaces(rounds: length.choose(short: 60, long: 1_500)).findings()
            + QuotaLeaks(rounds: length.choose(short: 50, long: 1_000)).findings()
            + QuotaReturners(cycles: length.choose(short: 4, long: 40)).findings()
            + AssetCosts(records: length.choose(short: 400, long: 10_000)).findings()
    }
}
