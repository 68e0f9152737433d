import Kinfolk

/// Many accounts that test addresses together.
struct ManyAskers {
    private let store: AttackedStore

    init(_ store: AttackedStore) { self.store = store }

    func aDay(accounts: Int) throws -> Finding {
        let bound = accounts * Enumeration.day
        let tested = try ask(accounts, steps: 24, hours: 1, firstNumber: 20_000, until: bound)
        return Enumeration.judge("\(accounts) accounts, a day", tested, bound: bound)
    }

    func aYear(accounts: Int) throws -> Finding {
        let bound = accounts * Enumeration.year
        let tested = try ask(accounts, steps: 73, hours: 5 * 24, firstNumber: 30_000, until: bound)
        return Enumeration.judge("\(accounts) accounts, a year", tested, bound: bound)
    }

    /// All accounts ask at once, and again after each step of the clock, until the promise is broken.
    private func ask(_ count: Int, steps: Int, hours: Double, firstNumber: Int, until bound: Int) throws -> Int {
        let sessions = try (0..<count).map { try store.session(InventedPerson(firstNumber + $0)) }
        var asker = Asker(seed: UInt64(firstNumber))
        var tested = 0
        for step in 0...steps where tested <= bound {
            if step > 0 { store.clock.advance(hours: hours) }
            for session in sessions { tested += try asker.exhaust(session) }
        }
        return tested
    }
}
