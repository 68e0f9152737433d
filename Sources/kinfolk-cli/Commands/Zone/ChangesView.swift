import Kinfolk
import KinfolkJSON

/// The changes of a zone or of a database, as they are shown.
struct ChangesView {
    let answer: Answer

    init(_ changes: RecordZoneChanges, inZone name: String) {
        var table = Table(.fixed("CHANGE"), .flexible("TYPE"), .flexible("NAME"), .fixed("MODIFIED"))
        for record in changes.records {
            table.add("saved", record.type, record.id.name, record.modifiedAt?.description ?? "")
        }
        for record in changes.deleted { table.add("deleted", record.type, record.id.name, "") }
        let deleted = changes.deleted.map { ["type": .string($0.type), "name": .string($0.id.name)] as JSON }
        answer = ChangesView.answer(
            [
                ("zone", .string(name)), ("records", .array(changes.records.map { RecordView($0).json })),
                ("deleted", .array(deleted)),
            ],
            table,
            count: "\(changes.records.count) saved, \(changes.deleted.count) deleted.",
            moreComing: changes.moreComing,
            changes.token
        )
    }

    init(_ changes: DatabaseChanges) {
        var table = Table(.fixed("CHANGE"), .flexible("ZONE"))
        for zone in changes.changed { table.add("changed", zone.name) }
        for zone in changes.deleted { table.add("deleted", zone.name) }
        answer = ChangesView.answer(
            [
                ("changed", .array(changes.changed.map { .string($0.name) })),
                ("deleted", .array(changes.deleted.map { .string($0.name) })),
            ],
            table,
            count: "\(changes.changed.count.counted("zone", "zones")) changed, \(changes.deleted.count) deleted.",
            moreComing: changes.moreComing,
            changes.token
        )
    }

    private static func answer(
        _ members: [(String, JSON)],
        _ table: Table,
        count: String,
        moreComing: Bool,
        _ token: ServerChangeToken
    ) -> Answer {
        var blocks: [Answer.Block] =
            table.isEmpty ? [.line("Nothing changed.")] : [.table(table), .line(""), .line(count)]
        if moreComing { blocks.append(.line("There are more changes: run this again with the new token.")) }
        return Answer(
            .object(
                members + [
                    ("more_coming", .boolean(moreComing)), ("token", .string(TokenText.hexadecimal(token))),
                ]
            ),
            blocks
        )
    }
}
