import Kinfolk

/// A record as it is shown.
struct RecordView {
    private let record: Record
    private var database: String { record.database.map { "\($0)" } ?? "" }

    init(_ record: Record) { self.record = record }

    var answer: Answer {
        var fields = Table(.flexible("FIELD"), .fixed("TYPE"), .flexible("VALUE"))
        for (name, value) in values { fields.add(name, value.type.name, value.shown) }
        return Answer(
            json,
            [
                .line("\(record.id.name)  \(database)"),
                .line("change tag \(record.changeTag ?? ""), modified \(record.modifiedAt?.description ?? "")"),
                fields.isEmpty ? .line("No field is set.") : .table(fields),
            ]
        )
    }

    var json: JSON {
        [
            "user_record_id": .string(record.id.name),
            "database": .string(database),
            "change_tag": .string(record.changeTag ?? ""),
            "created_at": .string(record.createdAt?.description ?? ""),
            "modified_at": .string(record.modifiedAt?.description ?? ""),
            "fields": .object(
                values.map { name, value in (name, ["type": .string(value.type.name), "value": value.json]) }
            ),
        ]
    }

    private var values: [(String, FieldValue)] {
        record.keys.compactMap { key in record[key].map { (key, $0) } }
    }
}
