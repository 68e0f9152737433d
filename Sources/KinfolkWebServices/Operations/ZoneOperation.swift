import Kinfolk
import KinfolkJSON

/// One operation of `zones/modify`.
struct ZoneOperation {
    private enum Kind: String {
        case create
        case delete
    }

    private let kind: Kind
    /// Nil if the zone belongs to somebody else.
    let name: String?
    private let id: JSON

    init(_ json: JSON, _ zones: ZoneReader) throws(WebError) {
        let members = try Members(json)
        guard let kind = Kind(rawValue: try members.requiredText("operationType")) else {
            throw .malformed("operationType", "create or delete")
        }
        self.kind = kind
        guard let zone = try members.object("zone") else { throw .missing("zone") }
        do throws(WebError) {
            guard let id = try zone.object("zoneID") else { throw .missing("zoneID") }
            self.id = zone["zoneID"] ?? .null
            do throws(WebError) { name = try zones.zone(id) } catch  where error.code == .zoneNotFound { name = nil }
        } catch { throw error.within("zone") }
    }

    func answer(_ call: Call) -> JSON {
        do throws(WebError) {
            guard let name else { throw Zones.none }
            switch kind {
            case .create:
                try calling { () throws(KinfolkError) in _ = try call.database.save(RecordZone(name)) }
                return Zones.json(name, call)
            case .delete:
                try calling { () throws(KinfolkError) in try call.database.deleteZone(name) }
                return ["zoneID": call.zones.json(name), "deleted": .boolean(true)]
            }
        } catch { return Zones.json(error, id) }
    }
}
