import Kinfolk
import KinfolkStorage

/// Nobody makes a list so long that the store fills, or that one more entry costs more: `docs/limits.md`.
struct LongLists: Experiment {
    let name = "long-lists"
    let promise = "long lists"

    func run(_ length: Length) throws -> [Finding] {
        [
            try decisions(length.choose(short: 600, long: 20_000)),
            try codes(length.choose(short: 60, long: 2_000)),
            try claims(length.choose(short: 40, long: 400)),
            try turns(length.choose(short: 20, long: 200)),
            try deletions(length.choose(short: 800, long: 30_000)),
            try returns(length.choose(short: 20, long: 1_000)),
        ]
    }

    /// A person changes the consent again and again, each time with a long wording of its own, and leaves at the end.
    private func decisions(_ count: Int) throws -> Finding {
        let store = try AttackedStore()
        let person = InventedPerson(1)
        let (session, seeker) = (try store.session(person), try store.session(InventedPerson(2)))
        try store.container.setPermitLimit(AttackedStore.unlimited)
        let text = String(repeating: "May they? ", count: 200)
        func decide(_ number: Int) throws {
            let decision: Discoverability = number.isMultiple(of: 2) ? .granted : .denied
            try session.setDiscoverability(decision, wording: ConsentWording("\(number) \(text)", version: "1"))
        }
        var steps: [Int] = []
        for number in 0...count {
            guard number == 100 || number == count else {
                try decide(number)
                continue
            }
            steps.append(try store.steps { try decide(number) })
        }
        let isFound = try seeker.discover(EmailAddress(person.address)) != nil
        try decide(count + 1)
        let isFoundAfterwards = try seeker.discover(EmailAddress(person.address)) != nil
        let bytes = try store.number("SELECT sum(length(sealed_wording)) FROM wordings")
        let rows = try store.number("SELECT count(*) FROM consents")
        return Finding(
            "\(count.grouped) changes of consent by one person, each with another wording of 2 KB; then the person revokes",
            "\(rows) rows and \(bytes.grouped) bytes are kept; one more takes \(steps[1].grouped) steps, after "
                + "\(steps[0].grouped) for the 101st; "
                + (isFoundAfterwards ? "still found" : "not found any more"),
            isHeld: rows <= 51 && bytes < 200_000 && steps[1] < steps[0] + steps[0] / 10 && isFound
                && !isFoundAfterwards
        )
    }

    /// A person who reads the mails requests one after the other with the pass of the one before.
    private func codes(_ count: Int) throws -> Finding {
        let store = try AttackedStore()
        let account = try store.service.createAccount()
        let email = try EmailAddress("mailbox@example.com")
        try account.addEmail("mailbox@example.com")
        var pass: String?
        var steps: [Int] = []
        for number in 0...count {
            let taken = try store.steps { pass = try account.requestVerification(of: email, pass: pass)?.pass }
            if number == 30 || number == count { steps.append(taken) }
        }
        let rows = try store.number("SELECT count(*) FROM verification_codes")
        return Finding(
            "\(count.grouped) mails in a day, each with the pass of the one before",
            "\(rows) codes are kept; one more takes \(steps[1]) steps, after \(steps[0]) for the 31st",
            isHeld: rows == 20 && pass != nil && steps[1] < steps[0] + steps[0] / 10
        )
    }

    /// Somebody who reads the mails of an address claims it with new accounts.
    private func claims(_ count: Int) throws -> Finding {
        let store = try AttackedStore()
        let person = InventedPerson(1)
        let owner = try store.account(person)
        let email = try EmailAddress(person.address)
        var pass: String?
        var refused = 0
        for _ in 0..<count {
            let account = try store.service.createAccount()
            try account.addEmail(person.address)
            guard let mail = try account.requestVerification(of: email, pass: pass) else {
                throw ExperimentFailure("no mail came")
            }
            pass = mail.pass
            do { _ = try account.verifyEmail(email, code: mail.code) } catch {
                guard error.code == .limitExceeded else { throw error }
                refused += 1
            }
        }
        let rows = try store.number("SELECT count(*) FROM email_claims")
        let isOwners = try store.service.account(email: email).id == owner.id
        return Finding(
            "\(count) accounts of somebody who reads the mails of an address claim it",
            "\(rows) claims, \(refused) refused" + (isOwners ? "" : "; the address moved"),
            isHeld: rows <= 20 && refused == count - 20 && isOwners
        )
    }

    /// Two accounts take an address from each other in turn.
    private func turns(_ count: Int) throws -> Finding {
        let store = try AttackedStore()
        let accounts = try (1...2).map { try store.account(InventedPerson($0)) }
        let address = "shared@example.com"
        try accounts[0].addEmail(address, verified: true)
        var counts: [Int] = []
        for number in 0..<count {
            let other = accounts[(number + 1) % 2]
            guard let claim = try other.addEmail(address, verified: true)?.claim else {
                throw ExperimentFailure("the address moved at once")
            }
            _ = try store.service.acknowledgeNotice(of: claim.id)
            store.clock.advance(hours: 25)
            guard try other.addEmail(address, verified: true) == .verified else {
                throw ExperimentFailure("the address did not move")
            }
            counts.append(try store.rows())
        }
        return Finding(
            "two accounts take an address from each other, \(count) times",
            "\(counts.last ?? 0) rows in the store, after \(counts[9]) for the tenth time",
            isHeld: counts.dropFirst(10).allSatisfy { $0 <= counts[9] + 2 }
        )
    }

    /// A person makes and deletes records in a custom zone.
    private func deletions(_ count: Int) throws -> Finding {
        let store = try AttackedStore()
        try store.container.addField("title", type: .string, to: "Note")
        let database = try store.session(InventedPerson(1)).privateDatabase
        try database.save(RecordZone("Notes"))
        var steps: [Int] = []
        for _ in 0..<count / 400 {
            let records = try database.run(
                (0..<400).map { _ in
                    .create(try Record(type: "Note", id: RecordID(zone: "Notes")))
                }
            ).map { try $0.get() }
            steps.append(
                try store.steps { _ = try database.run(records.compactMap { $0 }.map { .forceDelete($0.id) }) }
            )
        }
        let rows = try store.number("SELECT count(*) FROM tombstones")
        return Finding(
            "\(count.grouped) records of a zone are made and deleted",
            "\(rows.grouped) traces are kept; the last 400 deletions took \((steps.last ?? 0).grouped) steps, after "
                + "\((steps.first ?? 0).grouped) for the first",
            isHeld: rows <= 20_000 && (steps.last ?? 0) < 2 * (steps.first ?? 0)
        )
    }

    /// A person uses everything, erases the account, and comes back with the same address.
    private func returns(_ count: Int) throws -> Finding {
        let store = try AttackedStore()
        let chat = try store.service.createContainer("com.example.chat")
        for container in [store.container, chat] { try container.addField("title", type: .string, to: "Note") }
        var counts: [Int] = []
        for number in 0..<count {
            let account = try store.account(InventedPerson(1))
            for container in [store.container, chat] {
                let session = try container.session(for: account, device: "phone")
                try session.setDiscoverability(.granted, wording: ConsentWording("\(number)", version: "1"))
                // What is spent is remembered, in steps: after some times nothing is left.
                _ = try? session.discover(EmailAddress(InventedPerson(2).address))
                try session.block(UserRecordID("_" + String(repeating: "1", count: 32)))
                let database = session.privateDatabase
                try database.save(RecordZone("Notes"))
                for zone in ["Notes", RecordID.defaultZone] {
                    let record = try database.save(Record(type: "Note", id: RecordID(zone: zone)))
                    try database.delete(record.id)
                }
                _ = try session.publicDatabase.save(Record(type: "Note"))
                try database.deleteZone("Notes")
            }
            _ = try account.erase()
            counts.append(try store.rows())
        }
        return Finding(
            "a person uses two containers, erases the account and comes back, \(count.grouped) times",
            "\(counts.last ?? 0) rows in the store, after \(counts[4]) for the fifth time",
            isHeld: counts.dropFirst(5).allSatisfy { $0 <= counts[4] + 10 }
        )
    }
}

extension AttackedStore {
    /// The steps of the database engine for some calls.
    fileprivate func steps(_ body: () throws -> Void) rethrows -> Int {
        try service.tracing(body).1.reduce(0) { $0 + $1.steps }
    }

    fileprivate func number(_ sql: String) throws -> Int {
        try service.read { db in
            try db.using(composed: sql, []) { statement in
                var number = 0
                while try statement.step() { number = Int(statement.integer(0)) }
                return number
            }
        }
    }

    /// How many rows all tables have together.
    fileprivate func rows() throws -> Int {
        let tables = try service.read { db in
            try db.all("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'") {
                $0.text(0)
            }
        }
        return try tables.reduce(0) { try $0 + number("SELECT count(*) FROM \($1)") }
    }
}
