import Kinfolk

/// An account tests no more candidate addresses than its permits allow, whatever it tries.
struct Enumeration: Experiment {
    let name = "enumeration"
    let promise = "enumeration"

    /// How many addresses one account may test within a day, and within a year.
    static let day = 20_240
    static let year = 107_600

    func run(_ length: Length) throws -> [Finding] {
        let store = try AttackedStore()
        try store.importPeople(0..<2_000) { _ in true }
        let one = OneAsker(store)
        let many = ManyAskers(store)
        let returning = Returners(store)
        return [
            try one.aDayInBooks(),
            try one.aDayOneByOne(),
            try one.aDayInSessionsOfTwoServices(),
            try one.aDayWithRestarts(),
            try one.aDayInIdleServices(steps: length.choose(short: 100, long: 3_000)),
            try one.nowInTwoProcesses(),
            try one.nowInProcessesThatAreKilled(),
            try one.withSyncStatesOfOthers(),
            try one.nowWithADateThatJumps(),
            try returning.aDayWithOneAddress(rounds: length.choose(short: 12, long: 48)),
            try returning.littleByLittle(rounds: length.choose(short: 30, long: 500)),
            try returning.aDayOfMovingAddresses(addresses: 8, moves: length.choose(short: 60, long: 400)),
            try returning.withoutAddresses(accounts: length.choose(short: 20, long: 200)),
            try returning.aYearOfStayingAway(),
            try one.aYear(),
            try many.aDay(accounts: 100),
            try many.aYear(accounts: length.choose(short: 5, long: 100)),
        ]
    }

    /// More than the bound breaks the promise; much less would hurt honest people.
    static func judge(_ tried: String, _ tested: Int, bound: Int, orLess share: Double = 0.97) -> Finding {
        let isHeld = tested <= bound && Double(tested) >= share * Double(bound)
        return Finding(tried, "\(tested.grouped) tested; bound \(bound.grouped)", isHeld: isHeld)
    }
}
