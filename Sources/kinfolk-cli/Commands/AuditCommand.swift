import ArgumentParser
import Kinfolk
import KinfolkJSON

struct AuditCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "List the look-ups of accounts by user record ID, a page at a time.",
        discussion: """
            Each look-up of an account adds an entry, from this command line or another program. When the account is erased or \
            the container deleted, the entry loses its ID and its reason.
            """
    )

    @Option(help: ArgumentHelp("Begin after this entry.", valueName: "number"))
    var after: Int64 = 0

    @OptionGroup var pages: PageOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let (page, last) = try pages.page { try service.auditLog(after: after, limit: $0) }
        var table = Table(
            .number("NO"),
            .fixed("LOOKED UP"),
            .flexible("CONTAINER"),
            .fixed("USER RECORD ID"),
            .flexible("REASON")
        )
        for entry in page {
            let id = entry.userRecordID?.description ?? "-"
            table.add("\(entry.number)", entry.shownMoment, entry.container, id, entry.reason ?? "-")
        }
        let json: JSON = ["entries": .array(page.map(\.json)), "next": (last?.number).map(JSON.integer) ?? .null]
        guard !table.isEmpty else { return Answer(json, line: "No account was looked up.") }
        return Answer(json, [.table(table)] + (last.map { [.line("More: --after \($0.number)")] } ?? []))
    }
}

extension AuditEntry {
    /// To the minute, to leave room for the reason: `2026-01-31 12:00`.
    fileprivate var shownMoment: String {
        let text = notedAt.description
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5))"
    }

    fileprivate var json: JSON {
        [
            "number": .integer(number),
            "noted_at": .text(notedAt),
            "container": .string(container),
            "user_record_id": userRecordID.map(JSON.text) ?? .null,
            "reason": reason.map(JSON.string) ?? .null,
        ]
    }
}
