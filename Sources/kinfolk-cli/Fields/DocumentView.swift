import Kinfolk
import KinfolkJSON

/// A document as it is shown.
struct DocumentView {
    private let document: Document

    init(_ document: Document) { self.document = document }

    /// The versions with their states: the current one, the conflicts, and the older ones.
    private var versions: [(state: String, version: DocumentVersion)] {
        [("current", document.current)] + document.conflicts.map { ("conflict", $0) }
            + document.olderVersions.map { ("older", $0) }
    }

    var members: [(String, JSON)] {
        [
            ("id", .string(document.id)), ("path", .string(document.path)),
            ("created_at", .text(document.createdAt)), ("modified_at", .text(document.modifiedAt)),
            ("is_excluded_from_backup", .boolean(document.isExcludedFromBackup)),
            (
                "versions",
                .array(
                    versions.map { state, version in
                        [
                            "state": .string(state), "id": .string(version.id), "size": .count(version.size),
                            "sha256": .string(Hexadecimal.text(version.sha256)), "saved_at": .text(version.savedAt),
                            "device": version.device.map(JSON.string) ?? .null,
                        ]
                    }
                )
            ),
        ]
    }

    var json: JSON { .object(members) }

    /// All that there is to show, with a table of the versions.
    var answer: Answer {
        var table = Table(
            .fixed("STATE"),
            .fixed("VERSION"),
            .number("BYTES"),
            .fixed("SAVED"),
            .flexible("DEVICE")
        )
        for (state, version) in versions {
            table.add(
                state,
                DocumentView.shown(version),
                "\(version.size)",
                version.savedAt.description,
                version.device ?? ""
            )
        }
        var blocks: [Answer.Block] = [
            .line(document.path), .line("created \(document.createdAt)"), .line("modified \(document.modifiedAt)"),
        ]
        if document.isExcludedFromBackup { blocks.append(.line("left out of backups and exports")) }
        return Answer(json, blocks + [.table(table)])
    }

    /// The first digits of the ID of a version, which are enough to name it.
    static func shown(_ version: DocumentVersion) -> String { String(version.id.prefix(VersionReference.shownDigits)) }

    /// What a list notes about the document; empty for nothing.
    var note: String {
        var notes: [String] = []
        if !document.conflicts.isEmpty { notes.append(document.conflicts.count.counted("conflict", "conflicts")) }
        if document.isExcludedFromBackup { notes.append("excluded") }
        return notes.joined(separator: ", ")
    }
}
