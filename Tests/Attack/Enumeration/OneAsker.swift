import Kinfolk
import KinfolkThreads
import TestSupport

/// One account, and all that it may try to be given more.
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

    /// Eight sessions on threads of their own, half of them of another service on the same store.
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

    /// The store is opened anew before each question, and nothing is kept but the account.
    func aDayWithRestarts() throws -> Finding {
        let account = try store.account(InventedPerson(10_003))
        var asker = Asker(seed: 3)
        let tested = try hours(24) {
            var answered = 0
            // Until nothing is answered, or far too much was.
            while answered < 2 * Enumeration.day, case let more = try answersAfterRestart(account.id, &asker), more > 0
            {
                answered += more
            }
            return answered
        }
        return Enumeration.judge("restarted before each question", tested, bound: Enumeration.day)
    }

    private func answersAfterRestart(_ account: AccountID, _ asker: inout Asker) throws -> Int {
        let service = try store.reopened()
        let container = try service.container(AttackedStore.containerName)
        return try asker.exhaust(container.session(for: service.account(account)))
    }

    /// Services are opened, closed and left idle, and the clock of limits goes back and forth, so that leases come back although the
    /// services have spent them. An erasure, an address that moves and a rotation of the keys happen in between.
    func aDayInIdleServices(steps: Int) throws -> Finding {
        let person = InventedPerson(10_010)
        var account = try store.account(person)
        var generator = SeededGenerator(10_010)
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
            "one by one, in services that come and go, \(step) times",
            tested,
            bound: Enumeration.day,
            // The amount that is remembered for an erased account is rounded up.
            // However, at least half of what may be held at once is answered.
            orLess: 0.5 * Double(PermitLimit.standard.capacity) / Double(Enumeration.day)
        )
    }

    /// Both go by the system's clock, by which next to no time passes.
    func nowInTwoProcesses() throws -> Finding {
        let account = try store.account(InventedPerson(10_004))
        let processes = try (0..<2).map { number in
            try SecondProcess(Asker.part, store.path, account.id.description, "\(200 + number)", "7")
        }
        var tested = 0
        for process in processes { tested += try process.finish().compactMap { Int($0) }.reduce(0, +) }
        // They ended when a book of seven was refused.
        return Enumeration.judge("2 processes at once, now", tested, bound: Int(PermitLimit.standard.capacity) + 1)
    }

    /// Each is killed in the middle of its questions, as if to lose the memory of them.
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
            // One more book may have been answered and not been told of.
            deaths += 1
            while let line = process.line(), let count = Int(line) { tested += count }
            if lines == 0 { break }
        }
        return Enumeration.judge(
            "\(deaths) processes, killed as they ask",
            tested,
            bound: Int(PermitLimit.standard.capacity) + 1
        )
    }

    /// Contacts that somebody else paid for, or that were paid for elsewhere, are new.
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
            // One's own makes the same book free: more than are left may be asked again.
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

    /// The system's date leaps by years, and the store is opened anew at each date.
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
            // A few are left for the next date, at which they are counted anew.
            tested += try asker.exhaust(session, leaving: 20)
        }
        return Enumeration.judge(
            "the date jumps by years, 14 times",
            tested,
            bound: Int(PermitLimit.standard.capacity) + 1
        )
    }

    /// Asks at first, and again after each hour, until the promise is broken.
    private func hours(_ count: Int, _ ask: () throws -> Int) throws -> Int {
        var answered = try ask()
        for _ in 0..<count where answered <= Enumeration.day {
            store.clock.advance(hours: 1)
            answered += try ask()
        }
        return answered
    }
}
