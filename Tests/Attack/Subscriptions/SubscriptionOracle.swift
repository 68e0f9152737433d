import Kinfolk
import KinfolkModel

/// A user without rights subscribes to everything. In one of two stores, others change records that the user may not read. What the user
/// receives, and what all calls answer, is the same in both.
struct SubscriptionOracle {
    /// How many secret records are saved. More than 1,000 notifications of a user would drop some.
    let secrets: Int

    func finding() throws -> Finding {
        let (without, with) = try (transcript(secrets: 0), transcript(secrets: secrets))
        // Records that may be read do make a difference.
        let control = try transcript(secrets: 10, mayRead: true)
        guard control != without, without.count > 50 else {
            throw ExperimentFailure("readable records do not change the notifications")
        }
        let different = zip(without, with).count { $0 != $1 } + abs(without.count - with.count)
        return Finding(
            "a user without rights receives the notifications of all types, in two stores that differ in \(secrets.grouped) records of others",
            "\(different) of \(without.count.grouped) lines differ",
            isHeld: different == 0
        )
    }

    private func transcript(secrets: Int, mayRead: Bool = false) throws -> [String] {
        let scene = try SubscriptionScene()
        let owner = try scene.store.session(InventedPerson(1))
        let watcher = try scene.store.session(InventedPerson(2))
        try scene.subscribe(watcher)
        if mayRead {
            try scene.store.container.grantRole(SubscriptionScene.role, to: scene.store.account(of: watcher))
        }
        var lines: [String] = []
        var saved = 0
        let rounds = 6
        for round in 0..<rounds {
            let end = secrets * (round + 1) / rounds
            try change(saved..<end, as: owner)
            saved = end
            for number in 0..<3 {
                for (session, type) in [(owner, "Note"), (watcher, "Form")] {
                    let name = "\(type) \(round) \(number)"
                    var record = try session.publicDatabase.save(
                        SubscriptionScene.record(type, name, title: "title \(number)")
                    )
                    try record.set("title", to: .string("title \(number + 1)"))
                    _ = try session.publicDatabase.save(record)
                    if number == 2 { try session.publicDatabase.delete(record.id) }
                }
            }
            scene.makeNotifications()
            lines += try receive(watcher)
        }
        return lines
    }

    /// Creates, changes and deletes records that the watcher may not read.
    private func change(_ numbers: Range<Int>, as owner: Session) throws {
        for type in ["Draft", "Form"] {
            let records = try numbers.map {
                try SubscriptionScene.record(type, "secret \(type) \($0)", title: "title \($0 % 3)")
            }
            for start in stride(from: 0, to: records.count, by: 200) {
                let part = records[start..<min(records.count, start + 200)]
                for result in try owner.publicDatabase.run(part.map { .create($0) }) { _ = try result.get() }
                for result in try owner.privateDatabase.run(part.map { .create($0) }) { _ = try result.get() }
            }
            for record in records.prefix(records.count / 3) { try owner.publicDatabase.delete(record.id) }
        }
    }

    private func receive(_ watcher: Session) throws -> [String] {
        var (lines, sizes): ([String], [String]) = ([], [])
        // What different subscriptions tell of one change comes in the order of their random numbers.
        var change: [String] = []
        var last = ""
        while true {
            // Pages of a size that could be filled by what is left out.
            let page = try watcher.notifications(limit: 7)
            sizes.append("page of \(page.count)")
            guard let end = page.last else { break }
            for one in page {
                let subject = "\(one.kind) \(one.reason.map { "\($0)" } ?? "") \(one.recordID?.name ?? "")"
                if subject != last { (lines, change) = (lines + change.sorted(), []) }
                last = subject
                change.append(
                    "\(subject) \(one.subscriptionID ?? "") \(one.fields) \(one.info.alertLocalizationArgs) "
                        + "\(one.id.bytes.count)"
                )
            }
            try watcher.acknowledge(end)
        }
        lines += change.sorted() + sizes
        for database in [watcher.publicDatabase, watcher.privateDatabase] {
            lines.append(try database.subscriptions().map(\.id).joined(separator: ","))
        }
        lines.append("\(try watcher.devices().count)")
        return lines
    }
}
