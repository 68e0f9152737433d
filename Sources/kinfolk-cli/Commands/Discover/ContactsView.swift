import Kinfolk
import KinfolkJSON

/// The result of searching a contact book, as it is shown: the people found, and the number of the other contacts.
struct ContactsView {
    let reading: ContactImport
    let discovery: Discovery
    /// What both sides saw of a private discovery; nil after another kind of discovery.
    let privately: PrivateView?
    let contacts: Int
    let duration: Duration

    var answer: Answer {
        let people = IdentityView.table(discovery.identities)
        return Answer(
            json,
            [people.isEmpty ? .line(IdentityView.nobody) : .table(people), .line("")]
                + counts.map(Answer.Block.line)
                + SkippedView(reading.skipped.map { ($0.line, $0.reason.sentence) }, count: reading.skippedCount).blocks
                + (privately?.lines.map(Answer.Block.line) ?? [])
        )
    }

    private var found: Int { discovery.identities.reduce(0) { $0 + $1.contacts.count } }

    private var counts: [String] {
        var counts = [
            "\(contacts.counted("contact", "contacts")): \(found) led to "
                + "\(discovery.identities.count.counted("person", "people")), \(contacts - found) to nobody "
                + "who can be found (\(duration.shown))."
        ]
        if reading.withoutEmail > 0 {
            counts.append("Without an e-mail address: \(reading.withoutEmail.counted("entry", "entries")).")
        }
        return counts
    }

    private var json: JSON {
        [
            "identities": .array(discovery.identities.map { IdentityView($0).json }),
            "format": .string(reading.format.rawValue),
            "entries": .count(reading.entries),
            "contacts": .count(contacts),
            "contacts_found": .count(found),
            "contacts_not_found": .count(contacts - found),
            "entries_without_email": .count(reading.withoutEmail),
            "skipped_count": .count(reading.skippedCount),
            "skipped": SkippedView.json(reading.skipped),
            "private": privately?.json ?? .null,
            "seconds": .double(duration.seconds),
        ]
    }
}

extension Duration {
    var seconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds / 1_000_000_000_000) / 1_000_000
    }

    /// `12 ms`, `3.4 s`.
    var shown: String {
        let milliseconds = Int(seconds * 1_000)
        return milliseconds < 1_000 ? "\(milliseconds) ms" : "\(milliseconds / 1_000).\(milliseconds / 100 % 10) s"
    }
}
