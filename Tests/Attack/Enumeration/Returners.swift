import Kinfolk
import TestSupport

/// People who erase their accounts and come back, to get all permits again. Each time the host verifies their addresses, as in
/// `examples/web`.
struct Returners {
    private let store: AttackedStore

    init(_ store: AttackedStore) { self.store = store }

    /// A person spends all permits and erases the account, several times. Returns how many candidates were tested, and stops when
    /// they are more than `limit`.
    private func exhaust(_ person: Int, times: Int, hoursBetween hours: Double, atMost limit: Int) throws -> Int {
        var asker = Asker(seed: UInt64(person))
        var tested = 0
        for time in 0..<times where tested <= limit {
            if time > 0 { store.clock.advance(hours: hours) }
            let session = try store.session(InventedPerson(person))
            tested += try asker.exhaust(session)
            _ = try store.account(of: session).erase()
        }
        return tested
    }

    /// Spends all permits, erases the account, and comes back with the same address.
    func aDayWithOneAddress(rounds: Int) throws -> Finding {
        let tested = try exhaust(40_000, times: rounds, hoursBetween: 24 / Double(rounds), atMost: Enumeration.day)
        return Enumeration.judge(
            "erases the account and comes back with the same address, \(rounds) times a day",
            tested,
            bound: Enumeration.day,
            // Permits that accrue are partly lost when amounts are rounded.
            orLess: 0.9
        )
    }

    /// Spends little each time: less than an account without a verified address may spend.
    func littleByLittle(rounds: Int) throws -> Finding {
        var asker = Asker(seed: 41_000)
        var tested = 0
        for _ in 0..<rounds {
            let session = try store.session(InventedPerson(41_000))
            if try asker.ask(session, count: 50) { tested += 50 }
            _ = try store.account(of: session).erase()
        }
        return Enumeration.judge(
            "asks about 50 contacts, erases the account and comes back, \(rounds) times",
            tested,
            bound: Int(PermitLimit.standard.capacity),
            orLess: 0
        )
    }

    /// One person's addresses are verified, removed, and verified for other accounts, in random order.
    func aDayOfMovingAddresses(addresses: Int, moves: Int) throws -> Finding {
        var generator = SeededGenerator(seed: 42)
        var asker = Asker(seed: 42_000)
        var sessions = [try store.session(InventedPerson(42_000))]
        let account = try store.account(of: sessions[0])
        // Spends all permits of the person, with all addresses verified.
        let own = (0..<addresses).map { InventedPerson(42_001 + $0).address }
        for address in own { try account.addEmail(address, verified: true) }
        var tested = try asker.exhaust(sessions[0])
        for move in 0..<moves where tested <= Enumeration.day {
            let session = sessions.randomElement(using: &generator) ?? sessions[0]
            let account = try store.account(of: session)
            let address = own.randomElement(using: &generator) ?? own[0]
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: try? account.removeEmail(EmailAddress(address))
            case 1: try? store.service.transferEmail(address, to: account)
            case 2:
                _ = try account.erase()
                sessions.removeAll { $0 === session }
                fallthrough
            default:
                let new = try store.service.createAccount()
                try? store.service.transferEmail(address, to: new)
                guard try hasVerifiedAddress(new) else { continue }
                sessions.append(try store.container.session(for: new))
            }
            if sessions.isEmpty { break }
            guard move.isMultiple(of: 3) else { continue }
            let asking = try sessions.last { try hasVerifiedAddress(store.account(of: $0)) }
            if let asking { tested += try asker.exhaust(asking) }
        }
        return Enumeration.judge(
            "\(addresses) addresses of one person, moved among accounts \(moves) times",
            tested,
            bound: Enumeration.day
        )
    }

    /// Without a verified address an account has the smaller limit, which ``withoutAddresses(accounts:)`` tests.
    private func hasVerifiedAddress(_ account: Account) throws -> Bool {
        try account.emails().contains { $0.verifiedAt != nil }
    }

    /// Comes back after 30 days, when the store has forgotten what the address had spent.
    func aYearOfStayingAway() throws -> Finding {
        let stays = 365 / 30 + 1
        let tested = try exhaust(43_000, times: stays, hoursBetween: 30 * 24, atMost: .max)
        return Enumeration.judge(
            "erases the account and comes back after 30 days, a year",
            tested,
            bound: stays * Int(PermitLimit.standard.capacity)
        )
    }

    /// Accounts without a verified address: the host lets anybody in.
    func withoutAddresses(accounts: Int) throws -> Finding {
        var asker = Asker(seed: 44_000)
        var tested = 0
        let each = Int(PermitLimit.standard.unverifiedCapacity)
        for _ in 0..<accounts {
            let account = try store.service.createAccount()
            let session = try store.container.session(for: account)
            while try asker.ask(session, count: each / 4) { tested += each / 4 }
            _ = try account.erase()
        }
        return Enumeration.judge(
            "\(accounts) accounts without a verified address",
            tested,
            bound: accounts * each
        )
    }
}
