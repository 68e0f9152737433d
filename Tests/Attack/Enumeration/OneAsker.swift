import Kinfolk
import KinfolkThreads
import TestSupport

/// One account that tries to get more answers than its limit allows.
struct OneAsker {
    private let store: AttackedStore

    init(_ store: AttackedStore) { self.store = store }

    func aDayInBooks() throws -> Finding {
        let session = try store.session(InventedPerson(10_000))
        var asker = Asker(seed: 1)
        let tested = try hours(24) { try asker.exhaust(session) }
        return Enumeration.judge("one account, a day, in books", tested, bound: Enumeration.day)
    }

    func aDayOneByOne() throws -> Finding {
        let session = try store.session(InventedPerson(10_001))
        var asker = Asker(seed: 2)
        let tested = try hours(24) { try asker.exhaustOneByOne(session) }
        return Enumeration.judge("one address at a time", tested, bound: Enumeration.day)
    }

    /// Eight sessions, each on its own thread. Half of them belong to a second service on the same store.
    func aDayInSessionsOfTwoServices() throws -> Finding {
        let account = try store.account(InventedPerson(10_002))
        let other = try store.reopened()
        let container = try other.container(AttackedStore.containerName)
        let sessions = try (0..<8).map { number in
            number < 4
                ? try store.container.session(for: account)
                : try container.session(for: other.account(account.id))
        }
        let tested = Lock(0)
        for step in 0...2 {
            if step > 0 { store.clock.advance(hours: 12) }
            try onThreads(sessions.count) { number in
                var asker = Asker(seed: UInt64(100 * (step + 1) + number))
                let answered =
                    try number.isMultiple(of: 2)
                    ? asker.exhaust(sessions[number]) : asker.exhaustOneByOne(sessions[number])
                tested.withLock { $0 += answered }
            }
        }
        return Enumeration.judge("8 sessions of 2 services at once", tested.withLock { $0 }, bound: Enumeration.day)
    }

    /// The store is reopened before each request, and only the account is kept.
    func aDayWithRestarts() throws -> Finding {
        let account = try store.account(InventedPerson(10_003))
        var asker = Asker(seed: 3)
        let tested = try hours(24) {
            var answered = 0
            // Until nothing is answered any more, or far too much was answered.
            while answered < 2 * Enumeration.day, case let more = try answersAfterRestart(account.id, &asker), more > 0
            {
                answered += more
            }
            return answered
        }
        return Enumeration.judge("restarted before each request", tested, bound: Enumeration.day)
    }

    private func answersAfterRestart(_ account: AccountID, _ asker: inout Asker) throws -> Int {
        let service = try store.reopened()
        let container = try service.container(AttackedStore.containerName)
        return try asker.exhaust(container.session(for: service.account(account)))
    }

    /// Services are opened, closed and left idle, and the clock of limits goes back and forth, so that leased permits are returned
    /// although the services have spent them. In between, an account is erased, an address moves and the keys are rotated.
    func aDayInIdleServices(steps: Int) throws -> Finding {
        let person = InventedPerson(10_010)
        var account = try store.account(person)
        var generator = SeededGenerator(seed: 10_010)
        var asker = Asker(seed: 8)
        var (sessions, services): ([Session], [Service]) = ([], [])
        var (tested, time, step) = (0, 0.0, 0)
        while step < steps, tested <= Enumeration.day {
            step += 1
            if sessions.count < 6 {
                let service = try store.reopened()
                services.append(service)
                let container = try service.container(AttackedStore.containerName)
                sessions.append(try container.session(for: service.account(account.id)))
            }
            let number = Int.random(in: 0..<sessions.count, using: &generator)
            tested += try asker.askOneByOne(sessions[number], atMost: .random(in: 1...300, using: &generator))
            switch Int.random(in: 0..<40, using: &generator) {
            case 0..<6:
                sessions.remove(at: number)
                services.remove(at: number)
            case 6..<16:
                // Not more than a day in all.
                let forth = Double.random(in: 30...300, using: &generator)
                guard time + forth < 86_400 else { continue }
                time += forth
                store.clock.advance(hours: forth / 3_600)
            case 16..<20: store.clock.advance(hours: -200 / 3_600)
            case 20: _ = try store.service.rotateKeys()
            case 21:
                _ = try account.erase()
                account = try store.account(person)
                (sessions, services) = ([], [])
            default: break
            }
        }
        (sessions, services) = ([], [])
        tested += try asker.exhaust(store.container.session(for: account))
        return Enumeration.judge(
            "one address at a time, in services that open and close, \(step) times",
            tested,
            bound: Enumeration.day,
            // The amount that is remembered for an erased account is rounded up.
            // However, at least half of what may be held at once is answered.
            orLess: 0.5 * Double(PermitLimit.standard.capacity) / Double(Enumeration.day)
        )
    }

    /// Both processes use the system's clock, on which almost no time passes meanwhile.
    func nowInTwoProcesses() throws -> Finding {
        let account = try store.account(InventedPerson(10_004))
        let processes = try (0..<2).map { number in
            try SecondProcess(Asker.part, store.path, account.id.description, "\(200 + number)", "7")
        }
        var tested = 0
        for process in processes { tested += try process.finish().compactMap { Int($0) }.reduce(0, +) }
        // A process ends when a book of seven contacts is refused.
        return Enumeration.judge("2 processes at once, now", tested, bound: Int(PermitLimit.standard.capacity) + 1)
    }

    /// Kills each process while it asks, to make the store forget what was spent.
    func nowInProcessesThatAreKilled() throws -> Finding {
        let account = try store.account(InventedPerson(10_005))
        var tested = 0
        var deaths = 0
        while deaths < 100 {
            let process = try SecondProcess(Asker.part, store.path, account.id.description, "\(300 + deaths)", "50")
            var lines = 0
            while lines < 30, let line = process.line(), let count = Int(line) {
                tested += count
                lines += 1
            }
            process.kill()
            // One more book may have been answered, and its line lost.
            deaths += 1
            while let line = process.line(), let count = Int(line) { tested += count }
            if lines == 0 { break }
        }
        return Enumeration.judge(
            "\(deaths) processes, killed while they ask",
            tested,
            bound: Int(PermitLimit.standard.capacity) + 1
        )
    }

    /// Contacts cost permits again if another account paid for them, or if they were paid for in another container.
    func withSyncStatesOfOthers() throws -> Finding {
        let account = try store.account(InventedPerson(10_006))
        let session = try store.container.session(for: account)
        let friend = try store.session(InventedPerson(10_007))
        let chat = try store.service.createContainer("com.example.chat")
        let elsewhere = try chat.session(for: account)
        var candidates = Candidates(seed: 4)
        var tested = 0
        var freely = 0
        for _ in 0..<30 {
            let book = try candidates.book(600)
            var states = try friend.discover(book).syncState
            states += try elsewhere.discover(book).syncState
            let other = try store.reopened()
            states += [UInt8](states.prefix(200))
            states.append(contentsOf: Array("KNS1".utf8) + [UInt8](repeating: 255, count: 64))
            _ = other
            let answer = try session.discover(book, syncState: states)
            tested += book.count
            // With the account's own state the same book is free, even if fewer permits are left.
            for _ in 0..<3 {
                _ = try session.discover(book, syncState: answer.syncState)
                freely += book.count
            }
        }
        var asker = Asker(seed: 5)
        tested += try asker.exhaust(session)
        return Enumeration.judge(
            "with sync states of others and of another container (with its own: \(freely.grouped) free repeats)",
            tested,
            bound: Int(PermitLimit.standard.capacity)
        )
    }

    func aYear() throws -> Finding {
        let session = try store.session(InventedPerson(10_009))
        var asker = Asker(seed: 6)
        var tested = try asker.exhaust(session)
        for _ in 0..<365 where tested <= Enumeration.year {
            store.clock.advance(hours: 24)
            tested += try asker.exhaust(session)
        }
        return Enumeration.judge("one account, a year", tested, bound: Enumeration.year)
    }

    /// The system's date jumps by years, and the store is reopened at each date.
    func nowWithADateThatJumps() throws -> Finding {
        let account = try store.account(InventedPerson(10_008)).id
        var asker = Asker(seed: 7)
        var tested = 0
        let year: Int64 = 365 * 86_400
        defer { DateSkew.seconds = 0 }
        for years in [0, 1, 0, -1, 2, -2, 0, 3, 1, 5, -5, 5, -20, 20, 0] as [Int64] {
            DateSkew.seconds = years * year
            guard abs(Timestamp.now.seconds(since: DateSkew.trueTime) - Double(years * year)) < 10 else {
                throw ExperimentFailure("the date did not jump")
            }
            let service = try Service.open(store.path)
            let session = try service.container(AttackedStore.containerName).session(for: service.account(account))
            // Leaves a few permits for the next date, where they are counted again.
            tested += try asker.exhaust(session, leaving: 20)
        }
        return Enumeration.judge(
            "the date jumps by years, 14 times",
            tested,
            bound: Int(PermitLimit.standard.capacity) + 1
        )
    }

    /// Asks at once, and again after each hour, until the promise is broken.
    private func hours(_ count: Int, _ ask: () throws -> Int) throws -> Int {
        var answered = try ask()
        for _ in 0..<count where answered <= Enumeration.day {
            store.clock.advance(hours: 1)
            answered += try ask()
        }
        return answered
    }
}
