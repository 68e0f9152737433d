import Kinfolk
import KinfolkStorage

/// Compares the answers about each kind of person, and the statements that the store runs for them.
struct Answers {
    private let people: HiddenPeople
    private static let rounds = 80
    private static let contacts = 10
    /// By how many of SQLite's steps contacts may differ. A row that is found but not used takes some steps.
    private static let handful = 10

    init(_ people: HiddenPeople) { self.people = people }

    func findings(_ circumstance: String) throws -> [Finding] {
        let seeker = people.seeker
        return [
            try compare("e-mail" + circumstance) { kind, number in
                try seeker.discover(kind.emails[number % kind.emails.count]).shown
            },
            try compare("record ID" + circumstance) { kind, number in
                try seeker.discover(kind.records[number % kind.records.count]).shown
            },
            try compare("contact book of \(Answers.contacts)" + circumstance, contacts: Answers.contacts) {
                kind,
                number in
                var book = ContactBook()
                for offset in 0..<Answers.contacts {
                    try book.add(hash: kind.emails[(number + offset) % kind.emails.count].contactHash)
                }
                let answer = try seeker.discover(book)
                // The state is sealed: only its header and its length can be read.
                return "\(answer.identities.map(\.shown)) \(answer.syncState.prefix(8)) \(answer.syncState.count)"
            },
        ]
    }

    private func compare(_ input: String, contacts: Int = 1, _ ask: (HiddenPeople.Kind, Int) throws -> String) throws
        -> Finding
    {
        var seen = people.kinds.map { _ in Seen() }
        // The first calls prepare connections, statements and permits. They are not compared.
        for kind in people.kinds { _ = try ask(kind, 0) }
        for round in 0..<Answers.rounds {
            for (index, kind) in people.kinds.enumerated() {
                let (answer, work) = try people.store.service.tracing { try ask(kind, round) }
                seen[index].answers.insert(answer)
                seen[index].works[work.map(\.sql), default: []].append(work.map(\.steps))
            }
        }
        let (found, work) = try people.store.service.tracing { try ask(people.found, 0) }
        guard !seen[0].answers.contains(found), let usual = seen[0].usual,
            usual.statements != work.map(\.sql) || !usual.steps.contains(work.map(\.steps))
        else { throw ExperimentFailure("the answer about a person who is found does not differ") }
        return verdict(input, contacts, seen, usual)
    }

    private func verdict(_ input: String, _ contacts: Int, _ seen: [Seen], _ usual: Usual) -> Finding {
        let tried = "\(people.kinds.count) kinds of people by \(input), \(Answers.rounds) times each"
        let answers = seen.reduce(into: Set<String>()) { $0.formUnion($1.answers) }
        guard answers.count == 1 else {
            return Finding(tried, "\(answers.count) different answers", isHeld: false)
        }
        var largest = 0
        for (kind, seen) in zip(people.kinds, seen) {
            guard let own = seen.usual, own.statements == usual.statements else {
                return Finding(tried, "other statements: \(kind.name)", isHeld: false)
            }
            for (left, right) in zip(own.range, usual.range) {
                largest = max(largest, abs(left.lowerBound - right.lowerBound), abs(left.upperBound - right.upperBound))
            }
        }
        return Finding(
            tried,
            "one answer, the same \(usual.statements.count) statements; they differ by at most \(largest) of SQLite's steps",
            isHeld: largest <= Answers.handful * contacts
        )
    }
}

/// The observations for one kind of people.
private struct Seen {
    var answers: Set<String> = []
    /// The statements that ran, and the steps that each took.
    var works: [[String]: [[Int]]] = [:]

    /// The most frequent work. Sometimes a call also leases permits for many calls, for any kind of person.
    var usual: Usual? {
        let total = works.values.reduce(0) { $0 + $1.count }
        guard let most = works.max(by: { $0.value.count < $1.value.count }), most.value.count * 10 >= total * 9 else {
            return nil
        }
        return Usual(statements: most.key, steps: most.value)
    }
}

private struct Usual {
    let statements: [String]
    let steps: [[Int]]

    /// The fewest and the most steps of each statement.
    var range: [ClosedRange<Int>] {
        statements.indices.map { index in
            let counts = steps.map { $0[index] }
            return (counts.min() ?? 0)...(counts.max() ?? 0)
        }
    }
}
