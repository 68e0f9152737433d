import Kinfolk

/// Who has no permission for a record of the public database neither reads nor changes it, nor learns that it exists.
struct GrantedRecords: Experiment {
    let name = "grants"
    let promise = "grants and roles"

    func run(_ length: Length) throws -> [Finding] {
        try GrantReach(names: length.choose(short: 2, long: 12)).findings()
            + GivenRoles(rounds: length.choose(short: 20, long: 200)).findings()
            + [RoleRaces(races: length.choose(short: 40, long: 1_000)).finding()]
            + GrantReferences(names: length.choose(short: 2, long: 20)).findings()
    }
}
