import Kinfolk
import KinfolkJSON

/// `records/lookup`: records by their names.
enum RecordsLookup {
    static func answer(_ call: Call) throws(WebError) -> JSON {
        let zone = try call.zones.name(in: call.members) ?? RecordZone.defaultName
        let desiredKeys = try call.members.desiredKeys()
        let wanted = try call.members.list("records") { json throws(WebError) in
            try Item(json, zone: zone, desiredKeys: desiredKeys, call.zones)
        }
        guard let wanted else { throw .missing("records") }
        let writer = try call.recordWriter()
        let ids = wanted.compactMap { try? $0.id.get() }
        let found = try calling { () throws(KinfolkError) in try call.database.fetch(ids) }
        var next = found.makeIterator()
        return ["records": .array(wanted.map { $0.json(&next, writer) })]
    }

    private struct Item {
        let name: String
        let id: Result<RecordID, WebError>
        let desiredKeys: Set<String>?

        init(_ json: JSON, zone: String, desiredKeys: Set<String>?, _ zones: ZoneReader) throws(WebError) {
            // Some clients send names instead of dictionaries.
            if case .string(let name) = json {
                (self.name, self.desiredKeys) = (name, desiredKeys)
                id = RecordsLookup.id(name, zone: zone)
                return
            }
            let members = try Members(json)
            let name = try members.requiredText("recordName")
            self.name = name
            self.desiredKeys = try members.desiredKeys() ?? desiredKeys
            do throws(WebError) {
                id = RecordsLookup.id(name, zone: try zones.name(in: members) ?? zone)
            } catch  where error.code == .zoneNotFound { id = .failure(error) }
        }

        func json(
            _ found: inout some IteratorProtocol<Result<Record, KinfolkError>>,
            _ writer: RecordWriter
        ) -> JSON {
            if case .failure(let error) = id { return writer.json(error, of: name) }
            return switch found.next() {
            case .success(let record)?: writer.json(record, desiredKeys: desiredKeys)
            case .failure(let error)?: writer.json(WebError(error), of: name)
            case nil: writer.json(WebError(.internalError, "An internal error occurred."), of: name)
            }
        }
    }

    static func id(_ name: String, zone: String) -> Result<RecordID, WebError> {
        Result { () throws(WebError) in
            try calling { () throws(KinfolkError) in try RecordID(name, zone: zone) }
        }
    }
}
