import Kinfolk
import KinfolkJSON

/// The records that a query finds, as they are shown.
struct QueryView {
    let answer: Answer

    init(_ records: [Record], cursor: QueryCursor?) {
        let zones = Set(records.map(\.id.zone)).subtracting([RecordZone.defaultName])
        var table =
            zones.isEmpty
            ? Table(.flexible("NAME"), .fixed("MODIFIED"), .flexible("FIELDS"))
            : Table(.flexible("NAME"), .fixed("MODIFIED"), .flexible("FIELDS"), .flexible("ZONE"))
        for record in records {
            let fields = record.keys.compactMap { key in record[key].map { "\(key)=\($0.shown)" } }
            let cells = [
                record.id.name, record.modifiedAt?.description ?? "", fields.joined(separator: "  "), record.id.zone,
            ]
            table.add(zones.isEmpty ? cells.dropLast() : cells)
        }
        var blocks: [Answer.Block] =
            table.isEmpty
            ? [.line("No record was found.")]
            : [.table(table), .line(""), .line("\(records.count.counted("record", "records")).")]
        if let cursor {
            blocks.append(.line("There are more records. Run this again with --all, or with this --cursor:"))
            blocks.append(.line(Hexadecimal.text(cursor.bytes)))
        }
        answer = Answer(
            [
                "records": .array(records.map { RecordView($0).json }),
                "cursor": cursor.map { .string(Hexadecimal.text($0.bytes)) } ?? .null,
            ],
            blocks
        )
    }
}
