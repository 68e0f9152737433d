import Kinfolk
import KinfolkJSON

/// One operation of `records/modify`.
struct OperationItem {
    private enum Kind: String {
        case create
        case update
        case forceUpdate
        case replace
        case forceReplace
        case delete
        case forceDelete

        var isDeletion: Bool { self == .delete || self == .forceDelete }
        var isForced: Bool { [.forceUpdate, .forceReplace, .forceDelete].contains(self) }
        var removesFields: Bool { self == .update || self == .forceUpdate }
    }

    private let kind: Kind
    private let record: Members
    private let name: String
    private let identity: Result<RecordID, WebError>
    private let desiredKeys: Set<String>?

    /// The ID of the record; nil if it is malformed.
    var id: RecordID? { try? identity.get() }

    /// - Throws: If a member has a wrong type. What is wrong with a value is an error of this operation alone.
    init(_ json: JSON, zone: String, desiredKeys: Set<String>?, _ zones: ZoneReader) throws(WebError) {
        let members = try Members(json)
        let kind = try members.requiredText("operationType")
        guard let kind = Kind(rawValue: kind) else {
            throw .malformed(
                "operationType",
                "create, update, forceUpdate, replace, forceReplace, delete or forceDelete"
            )
        }
        guard let record = try members.object("record") else { throw .missing("record") }
        self.kind = kind
        do throws(WebError) {
            // Some clients name the type beside the operation.
            var type = try record.text("recordType")
            if type == nil { type = try members.text("recordType") }
            self.record =
                type.map { Members(record.all.filter { $0.0 != "recordType" } + [("recordType", .string($0))]) }
                ?? record
            var keys = try record.desiredKeys()
            if keys == nil { keys = try members.desiredKeys() }
            self.desiredKeys = keys ?? desiredKeys
            let given = try record.text("recordName")
            if given == nil, kind != .create { throw .missing("recordName") }
            let tag = try record.text("recordChangeTag")
            if kind == .update || kind == .replace, tag == nil { throw .missing("recordChangeTag") }
            name = given ?? RecordID().name
            do throws(WebError) {
                let zone = try zones.name(in: record) ?? zone
                identity = RecordsLookup.id(name, zone: zone)
            } catch  where error.code == .zoneNotFound { identity = .failure(error) }
            if !kind.isDeletion { _ = try record.object("fields") }
        } catch { throw error.within("record") }
    }

    /// Whether the operation can be read only with the record that is in the store.
    var needsStored: Bool {
        // A deletion without a tag is one of whatever is there.
        if kind == .delete { return record["recordChangeTag"] == nil }
        guard kind != .create, kind != .forceDelete else { return false }
        return record["recordType"] == nil || mayHoldDates
    }

    private var mayHoldDates: Bool {
        guard let fields = (try? record.object("fields")) ?? nil else { return false }
        return fields.all.contains { _, json in
            guard case .object(let field) = json else { return false }
            let members = Members(field)
            switch members["type"] {
            case .string(let type)?: return type.hasPrefix("TIMESTAMP")
            case nil:
                switch members["value"] {
                case .integer?, .array?: return true
                default: return false
                }
            default: return false
            }
        }
    }

    func operation(
        _ stored: StoredRecord?,
        _ schema: ContainerSchema,
        in database: Database,
        _ zones: ZoneReader
    ) throws(WebError) -> RecordOperation {
        let id = try identity.get()
        switch kind {
        case .delete:
            guard let tag = try tag() ?? stored?.changeTag else {
                throw WebError(.notFound, "There is no such record.")
            }
            return .delete(id, changeTag: tag)
        case .forceDelete: return .forceDelete(id)
        case .create: return .create(try content(id, stored, schema, in: database, zones))
        case .update: return .update(try content(id, stored, schema, in: database, zones))
        case .forceUpdate: return .forceUpdate(try content(id, stored, schema, in: database, zones))
        case .replace: return .replace(try content(id, stored, schema, in: database, zones))
        case .forceReplace: return .forceReplace(try content(id, stored, schema, in: database, zones))
        }
    }

    private func tag() throws(WebError) -> String? {
        guard !kind.isForced, kind != .create, let tag = try record.text("recordChangeTag") else { return nil }
        // No record has another form of tag, so that the client's copy is of another state.
        guard ChangeTag(tag) != nil else { throw WebError(.conflict, "The record was saved since it was fetched.") }
        return tag
    }

    private func content(
        _ id: RecordID,
        _ stored: StoredRecord?,
        _ schema: ContainerSchema,
        in database: Database,
        _ zones: ZoneReader
    ) throws(WebError) -> Record {
        guard let type = try record.text("recordType") ?? stored?.type else {
            throw kind == .create || kind.isForced
                ? WebError.missing("recordType").within("record")
                : WebError(.notFound, "There is no such record.")
        }
        let tag = try tag()
        var result = try calling { () throws(KinfolkError) in
            let new = try Record(type: type, id: id)
            return try tag.map { tag throws(KinfolkError) in try new.holding(changeTag: tag, in: database) } ?? new
        }
        let declared = schema.types[type]?.fields ?? [:]
        for (name, json) in try record.object("fields")?.all ?? [] {
            let values = ValueReader(zones: zones, zone: id.zone, stored: stored?.dates[name])
            let value: FieldValue?
            do throws(WebError) { value = try values.field(json, declared: declared[name]?.type) } catch {
                throw error.within(name).within("fields").within("record")
            }
            try calling { () throws(KinfolkError) in
                if let value {
                    try result.set(name, to: value)
                } else if kind.removesFields {
                    try result.removeUnseen(name)
                }
            }
        }
        try setParent(of: &result)
        return result
    }

    private func setParent(of result: inout Record) throws(WebError) {
        guard let parent = record.all.first(where: { $0.0 == "parent" })?.1 else { return }
        var id: RecordID?
        if case .null = parent {
            // A new record has none.
            guard kind != .create else { return }
        } else {
            do throws(WebError) {
                id = try RecordsLookup.id(Members(parent).requiredText("recordName"), zone: result.id.zone).get()
            } catch { throw error.within("parent").within("record") }
        }
        try calling { () throws(KinfolkError) in try result.setParent(id) }
    }

    /// The error of the protocol for one of this operation.
    func error(_ error: KinfolkError) -> WebError {
        guard kind == .create, error.code == .serverRecordChanged else { return WebError(error) }
        return WebError(.exists, error.reason)
    }

    func json(_ result: Result<Record?, WebError>, _ writer: RecordWriter) -> JSON {
        switch result {
        case .success(let record?): writer.json(record, desiredKeys: desiredKeys)
        case .success(nil): id.map { writer.json(deleted: $0) } ?? .null
        case .failure(let error): writer.json(error, of: name)
        }
    }
}
