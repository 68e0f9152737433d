import Kinfolk
import KinfolkJSON

/// One line of a batch: an operation on a record, as JSON.
struct BatchLine {
    /// From 1.
    let number: Int
    /// The operation's name.
    let name: String
    let operation: RecordOperation

    /// The operations in a file, with one JSON object on each line. Empty lines are left out.
    ///
    /// - Parameter zone: The zone of the records whose lines name none.
    /// - Throws: ``KinfolkError/Code/invalidArgument`` with the number of the line if a line is malformed.
    static func all(
        in bytes: [UInt8],
        for database: Database,
        zone: String
    ) throws(KinfolkError) -> [BatchLine] {
        var lines: [BatchLine] = []
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            guard !line.allSatisfy({ [0x20, 0x09, 0x0d].contains($0) }) else { continue }
            do throws(KinfolkError) {
                lines.append(try BatchLine(line, index + 1, for: database, zone: zone))
            } catch {
                throw error.saying("Line \(index + 1): \(error.reason) Nothing was changed.")
            }
        }
        guard !lines.isEmpty else { throw KinfolkError(.invalidArgument, "The file has no line.") }
        return lines
    }

    private init(
        _ line: ArraySlice<UInt8>,
        _ number: Int,
        for database: Database,
        zone: String
    ) throws(KinfolkError) {
        self.number = number
        let object = try BatchObject(line, zone: zone)
        name = try object.required("operation")
        operation = try object.operation(name, for: database)
    }
}

/// The members of a line.
private struct BatchObject {
    private static let members: Set<String> = [
        "operation", "name", "zone", "type", "change_tag", "parent", "fields",
    ]
    /// What a record has besides when --json prints it. The store maintains it.
    private static let ignored: Set<String> = [
        "user_record_id", "database", "created_at", "created_by", "modified_at", "modified_by",
    ]

    private var texts: [String: String] = [:]
    private var fields: [(String, JSON)]?
    private var hasParent = false
    private let zone: String

    init(_ line: ArraySlice<UInt8>, zone: String) throws(KinfolkError) {
        self.zone = zone
        let json: JSON
        do throws(JSONText.Fault) { json = try JSONText.value(in: line) } catch {
            throw KinfolkError(.invalidArgument, "This is not JSON: \(error.reason) (column \(error.column)).")
        }
        guard case .object(let members) = json else {
            throw KinfolkError(.invalidArgument, "This is not a JSON object.")
        }
        for (name, value) in members where !BatchObject.ignored.contains(name) {
            guard BatchObject.members.contains(name) else {
                throw KinfolkError(
                    .invalidArgument,
                    "There is no member \"\(name)\". The members are operation, name, zone, type, change_tag, "
                        + "parent and fields."
                )
            }
            switch (name, value) {
            case ("fields", .object(let fields)): self.fields = fields
            case ("fields", _): throw KinfolkError(.invalidArgument, "The member fields is not an object.")
            case (_, .string(let text)):
                texts[name] = text
                hasParent = hasParent || name == "parent"
            case (_, .null): hasParent = hasParent || name == "parent"
            default: throw KinfolkError(.invalidArgument, "The member \(name) is not a text.")
            }
        }
    }

    func required(_ name: String) throws(KinfolkError) -> String {
        guard let text = texts[name] else { throw KinfolkError(.invalidArgument, "The member \(name) is missing.") }
        return text
    }

    func operation(_ name: String, for database: Database) throws(KinfolkError) -> RecordOperation {
        switch name {
        case "create": .create(try record(removesFields: false, isNew: true, for: database))
        case "update": .update(try record(removesFields: true, for: database))
        case "forceUpdate": .forceUpdate(try record(removesFields: true, for: database))
        case "replace": .replace(try record(removesFields: false, for: database))
        case "forceReplace": .forceReplace(try record(removesFields: false, for: database))
        case "delete": .delete(try id(), changeTag: texts["change_tag"])
        case "forceDelete": .forceDelete(try id())
        default:
            throw KinfolkError(
                .invalidArgument,
                "There is no operation \"\(name)\". The operations are create, update, forceUpdate, replace, forceReplace, "
                    + "delete and forceDelete."
            )
        }
    }

    private func id() throws(KinfolkError) -> RecordID {
        try RecordID(required("name"), zone: texts["zone"] ?? zone)
    }

    private func record(
        removesFields: Bool,
        isNew: Bool = false,
        for database: Database
    ) throws(KinfolkError) -> Record {
        let id = try isNew && texts["name"] == nil ? RecordID(zone: texts["zone"] ?? zone) : id()
        var record = try Record(type: required("type"), id: id)
        if let changeTag = texts["change_tag"], !isNew {
            record = try record.holding(changeTag: changeTag, in: database)
        }
        if hasParent {
            try record.setParent(texts["parent"].map { name throws(KinfolkError) in try record.neighbour(name) })
        }
        for (field, value) in fields ?? [] {
            guard case .null = value else {
                try record.set(field, to: FieldJSON(field).value(value).placed(in: id.zone))
                continue
            }
            guard removesFields else {
                throw KinfolkError(
                    .invalidArgument,
                    "The field \(field) is null: only update and forceUpdate remove fields."
                )
            }
            try record.removeUnseen(field)
        }
        return record
    }
}
