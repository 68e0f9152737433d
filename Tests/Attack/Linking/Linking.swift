import Kinfolk

/// Nothing that sessions of two containers can read shows that they belong to the same person.
struct Linking: Experiment {
    let name = "linking"
    let promise = "linking"

    private static let people = 200
    /// As many people may have a byte or two in common by chance.
    private static let chance = 5

    func run(_ length: Length) throws -> [Finding] {
        let store = try AttackedStore()
        let chat = try store.service.createContainer("com.example.chat")
        for container in [store.container, chat] { try container.setPermitLimit(Transcript.limit) }
        let friends = try makeFriends(store, chat)
        var sessions: [(here: Session, there: Session)] = []
        for number in 0..<Linking.people {
            let account = try store.account(InventedPerson(number))
            // All people join within a day. Each joins both containers within a second, in random order.
            store.clock.advance(seconds: Double.random(in: 5...300))
            let isHereFirst = Bool.random()
            let first = try (isHereFirst ? store.container : chat).session(for: account)
            store.clock.advance(seconds: Double.random(in: 0.01...1))
            let second = try (isHereFirst ? chat : store.container).session(for: account)
            sessions.append(isHereFirst ? (first, second) : (second, first))
        }
        try use(sessions.map(\.here), store)
        try use(sessions.map(\.there), store)
        let here = try sessions.map { try Transcript($0.here, friends: friends) }
        let there = try sessions.map { try Transcript($0.there, friends: friends) }
        return [common(here, there), exports(here, there, store)] + matches(here, there) + [try askAcross(sessions)]
    }

    /// People whom everybody finds, so that discoveries return something.
    private func makeFriends(_ store: AttackedStore, _ chat: Container) throws -> [EmailAddress] {
        try (0..<5).map { number in
            let person = InventedPerson(5_000 + number)
            let account = try store.account(person)
            for container in [store.container, chat] {
                try container.session(for: account).setDiscoverability(.granted, wording: AttackedStore.wording)
            }
            return try EmailAddress(person.address)
        }
    }

    /// In each container people save and decide in a different order, because applications call at different times.
    private func use(_ sessions: [Session], _ store: AttackedStore) throws {
        for session in sessions.shuffled() {
            store.clock.advance(seconds: Double.random(in: 1...20))
            try session.setDiscoverability(.denied, wording: AttackedStore.wording)
            for database in DatabaseScope.allCases {
                var record = try session.fetchUserRecord(in: database)
                try record.set("theme", to: .string("the same for everybody"))
                _ = try session.save(record)
            }
        }
    }

    private func common(_ here: [Transcript], _ there: [Transcript]) -> Finding {
        let strict = CommonParts(here, there, .leftOut)
        let wide = CommonParts(here, there, .counted)
        let example = (strict.found.first ?? wide.found.first).map { ", in: \($0.name)" } ?? ""
        return Finding(
            "\(Linking.people) people, two containers: \(wide.count.grouped) parts of 8 bytes of all that they can read",
            "\(strict.people) people have a part in both that nobody else has; \(wide.people) do by chance, counting parts "
                + "that begin with bytes common to all" + example,
            isHeld: strict.people == 0 && wide.people <= Linking.chance
        )
    }

    /// Compares the exports of the two applications. Counts people whose two exports share a word that is in nobody else's, and exports
    /// that name the account, an address or the other application.
    private func exports(_ here: [Transcript], _ there: [Transcript], _ store: AttackedStore) -> Finding {
        func words(_ transcript: Transcript) -> Set<Substring> {
            Set(transcript.export.split { !($0.isLetter || $0.isNumber || $0 == "_") })
        }
        let (mine, theirs) = (here.map(words), there.map(words))
        var owners: [Substring: Int] = [:]
        for word in (mine + theirs).joined() { owners[word, default: 0] += 1 }
        // Words of digits alone are times, which the other experiments compare.
        let common = zip(mine, theirs).count { one, other in
            one.intersection(other).contains { owners[$0] == 2 && $0.contains { $0.isLetter } }
        }
        let leads = zip(here, there).count { one, other in
            one.export.contains("@") || one.export.contains(other.record.description)
                || one.export.contains("com.example.chat") || one.export.contains("account")
        }
        return Finding(
            "the exports of one person in two containers",
            "\(common) people have a word in both that nobody else has; \(leads) exports name the account, an address or "
                + "the other container",
            isHeld: common == 0 && leads == 0
        )
    }

    private func matches(_ here: [Transcript], _ there: [Transcript]) -> [Finding] {
        let matchers = [
            Matcher.byOrder("time of creation", here, there) { $0.createdAt },
            Matcher.byOrder("record ID", here, there) { $0.record.description },
            Matcher.byOrder("change tag", here, there) { $0.changeTags.joined() },
            Matcher.byLikeness("record ID", here, there) { $0.record.value.bytes },
            Matcher.byLikeness("change tag", here, there) { Array($0.changeTags.joined().utf8) },
            Matcher.byLikeness("sync state", here, there) { $0.syncState },
            Matcher.byOrder("sync state", here, there) { Hexadecimal.text($0.syncState) },
        ]
        let best = matchers.max { $0.hits < $1.hits }
        let total = matchers.map { "\($0.hits)" }.joined(separator: " ")
        return [
            Finding(
                "paired by time of creation, and by order or likeness of IDs, change tags, sync states",
                "hits of \(Linking.people): \(total); chance gives 1"
                    + ((best?.hits ?? 0) > Matcher.bound ? "; \(best?.name ?? "")" : ""),
                isHeld: (best?.hits ?? 0) <= Matcher.bound
            )
        ]
    }

    /// Each person asks in one container about their own ID of the other container. Compares the answers with those for a random ID.
    private func askAcross(_ sessions: [(here: Session, there: Session)]) throws -> Finding {
        var differences = 0
        for (here, there) in sessions {
            // The first call after a change of the store fills the caches. Its work is not compared.
            _ = try answers(there, to: UserRecordID(.make()))
            let own = try answers(there, to: here.userRecordID())
            let nobodys = try answers(there, to: UserRecordID(.make()))
            if own != nobodys { differences += 1 }
        }
        return Finding(
            "the ID of one container, used in the other",
            "\(differences) answers differ from those for a random ID",
            isHeld: differences == 0
        )
    }

    private func answers(_ session: Session, to id: UserRecordID) throws -> [String] {
        var answers: [String] = []
        for database in DatabaseScope.allCases {
            let (answer, work) = session.service.tracing {
                do { return try session.fetchUserRecord(id, in: database).shown } catch { return "\(error)" }
            }
            answers.append("\(answer) \(work)")
        }
        let (found, work) = try session.service.tracing { try session.discover(id) }
        answers.append("\(found.shown) \(work)")
        return answers
    }
}
