import Kinfolk
import KinfolkJSON

/// The content of a contact file, as it is shown.
struct ContactFileView {
    let reading: ContactImport
    /// The contacts, if they are shown too.
    let book: ContactBook?

    var answer: Answer {
        Answer(
            json,
            counts.map(Answer.Block.line)
                + SkippedView(reading.skipped.map { ($0.line, $0.reason.sentence) }, count: reading.skippedCount).blocks
                + contacts
        )
    }

    private var counts: [String] {
        // A list of nothing, perhaps with empty lines.
        guard reading.format != .list || reading.entries > 0 || reading.skippedCount > 0 else {
            return ["The file is empty."]
        }
        var counts = [
            "Format: \(reading.format.shownName).",
            "\(reading.entries.counted("entry", "entries")): \(reading.added.counted("contact", "contacts")), "
                + "one for each e-mail address or hash.",
        ]
        if reading.withoutEmail > 0 {
            counts.append("Without an e-mail address: \(reading.withoutEmail.counted("entry", "entries")).")
        }
        if reading.skippedCount == 0 {
            counts.append("Nothing was skipped.")
        } else {
            counts.append("Skipped: \(reading.skippedCount.counted("entry or address", "entries or addresses")).")
        }
        return counts
    }

    private var contacts: [Answer.Block] {
        guard let book, !book.isEmpty else { return [] }
        var table = Table(.fixed("CONTACT HASH"), .flexible("LABEL"))
        for index in 0..<book.count { table.add(book.hash(at: index)?.hex ?? "", book.label(at: index)) }
        return [.line(""), .table(table)]
    }

    private var json: JSON {
        var members: [(String, JSON)] = [
            ("format", .string(reading.format.rawValue)),
            ("entries", .count(reading.entries)),
            ("contacts", .count(reading.added)),
            ("entries_without_email", .count(reading.withoutEmail)),
            ("skipped_count", .count(reading.skippedCount)),
            ("skipped", SkippedView.json(reading.skipped)),
        ]
        if let book {
            let contacts = (0..<book.count).map { index -> JSON in
                ["hash": .string(book.hash(at: index)?.hex ?? ""), "label": .string(book.label(at: index))]
            }
            members.append(("hashes", .array(contacts)))
        }
        return .object(members)
    }
}

extension ContactFormat {
    /// The usual name of the format.
    var shownName: String {
        switch self {
        case .vCard: "vCard"
        case .csv: "CSV"
        case .ldif: "LDIF"
        case .jCard: "jCard"
        case .list: "list of addresses or hashes"
        }
    }
}
