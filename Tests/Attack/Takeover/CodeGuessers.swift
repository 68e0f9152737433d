import Kinfolk

/// Attempts to get more codes for an address, and so more guesses.
struct CodeGuessers {
    private let length: Length

    init(_ length: Length) { self.length = length }

    /// A store in which the victim has verified the address.
    private func store() throws -> (AttackedStore, Account, CodeGuesser) {
        let store = try AttackedStore()
        let victim = InventedPerson(40_000)
        return (store, try store.account(victim), CodeGuesser(try EmailAddress(victim.address)))
    }

    func inALoop() throws -> Finding {
        let (store, _, guesser) = try store()
        let haul = try guesser.guess(store.service, accounts: length.choose(short: 200, long: 5_000))
        return Takeover.judge("create, add, guess, erase", haul)
    }

    func withRotationsAndRestarts() throws -> Finding {
        let (store, _, guesser) = try store()
        var haul = Takeover.Haul()
        for _ in 0..<length.choose(short: 4, long: 24) {
            haul.add(try guesser.guess(store.reopened(), accounts: 10))
            _ = try store.service.rotateKeys()
        }
        return Takeover.judge("and with new keys, after restarts", haul)
    }

    /// Tries every hour, for so long that the store forgets its counts.
    func forDays() throws -> Finding {
        let (store, _, guesser) = try store()
        let days = length.choose(short: 3, long: 10)
        var haul = Takeover.Haul()
        for _ in 0..<days * 24 {
            haul.add(try guesser.guess(store.service, accounts: 2))
            store.clock.advance(hours: 1)
        }
        return Takeover.judge("at every hour, \(days) days", haul, days: days)
    }

    /// All processes use the system's clock, on which almost no time passes meanwhile.
    func inTwoProcesses() throws -> Finding {
        let (store, victim, _) = try store()
        guard let address = try victim.emails().first?.spelling else { throw ExperimentFailure("no address") }
        let accounts = length.choose(short: 30, long: 500)
        let processes = try (0..<3).map { _ in
            try SecondProcess(CodeGuesser.part, store.path, address, String(accounts))
        }
        var haul = Takeover.Haul()
        for process in processes { haul.add(try CodeGuesser.haul(process.finish())) }
        return Takeover.judge("in 3 processes at once", haul)
    }

    /// Strangers use up the mails of an address. Its owner, who reads them, can still sign in: each mail contains a pass.
    func againstTheOwner() throws -> Finding {
        let (store, owner, _) = try store()
        guard let spelling = try owner.emails().first?.spelling else { throw ExperimentFailure("no address") }
        let email = try EmailAddress(spelling)
        var passes: [String] = []
        var signIns = 0
        let hours = length.choose(short: 24, long: 240)
        for _ in 0..<hours {
            for _ in 0..<10 {
                let stranger = try store.service.createAccount()
                try stranger.addEmail(spelling)
                if let mail = try stranger.requestVerification(of: email) { passes.append(mail.pass) }
                _ = try stranger.erase()
            }
            if let mail = try owner.requestVerification(of: email, for: .signIn, pass: passes.popLast()) {
                try owner.confirmSignIn(email, code: mail.code)
                passes.append(mail.pass)
                signIns += 1
            }
            store.clock.advance(hours: 1)
        }
        return Finding(
            "locking the owner out: 10 strangers an hour, \(hours) hours",
            "the owner signed in \(signIns) times of \(hours), by passes",
            isHeld: signIns == hours
        )
    }
}
