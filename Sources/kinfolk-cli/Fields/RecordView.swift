import Kinfolk
import KinfolkJSON

/// A record as it is shown.
struct RecordView {
    private let record: Record
    private var database: String { record.database.map { "\($0)" } ?? "" }

    private var customZone: [String] { record.id.zone == RecordZone.defaultName ? [] : [record.id.zone] }

    init(_ record: Record) { self.record = record }

    var answer: Answer {
        var fields = Table(.flexible("FIELD"), .fixed("TYPE"), .flexible("VALUE"))
        for (name, value) in values { fields.add(name, value.type.name, value.shown) }
        var blocks: [Answer.Block] = [
            .line(([record.id.name, record.type, database] + customZone).joined(separator: "  ")),
            .line("change tag \(record.changeTag ?? "")"),
            .line("created \(record.createdAt?.description ?? "") by \(shown(record.createdBy))"),
            .line("modified \(record.modifiedAt?.description ?? "") by \(shown(record.modifiedBy))"),
        ]
        if let parent = record.parent { blocks.append(.line("parent \(parent.target.name)")) }
        blocks.append(fields.isEmpty ? .line("No field is set.") : .table(fields))
        return Answer(json, blocks)
    }

    var json: JSON {
        var members: [(String, JSON)] = [("type", .string(record.type)), ("name", .string(record.id.name))]
        if let user = record.id.user { members.append(("user_record_id", .text(user))) }
        members += [
            ("zone", .string(record.id.zone)), ("database", .string(database)),
            ("change_tag", .string(record.changeTag ?? "")),
            ("created_at", .string(record.createdAt?.description ?? "")),
            ("created_by", record.createdBy.map(JSON.text) ?? .null),
            ("modified_at", .string(record.modifiedAt?.description ?? "")),
            ("modified_by", record.modifiedBy.map(JSON.text) ?? .null),
        ]
        if let parent = record.parent { members.append(("parent", .string(parent.target.name))) }
        members.append(
            (
                "fields",
                .object(values.map { name, value in (name, ["type": .string(value.type.name), "value": value.json]) })
            )
        )
        return .object(members)
    }

    private func shown(_ user: UserRecordID?) -> String { user?.description ?? "an erased user" }

    private var values: [(String, FieldValue)] {
        record.keys.compactMap { key in record[key].map { (key, $0) } }
    }
}
