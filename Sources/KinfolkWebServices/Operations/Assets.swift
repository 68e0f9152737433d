import Kinfolk
import KinfolkJSON

/// `assets/upload` and `assets/rereference`.
enum Assets {
    /// How many seconds a URL is valid.
    private static let validity = 900.0

    /// URLs to which a client sends files.
    static func upload(_ call: Call) throws(WebError) -> JSON {
        _ = try call.requireUser()
        let zone = try call.zones.name(in: call.members) ?? RecordZone.defaultName
        try calling { () throws(KinfolkError) in _ = try call.database.beginUpload(zone: zone) }
        let tokens = try call.members.listOrOne("tokens") { json throws(WebError) in
            let members = try Members(json)
            return (
                name: try members.text("recordName") ?? RecordID().name, field: try members.requiredText("fieldName")
            )
        }
        guard let tokens else { throw .missing("tokens") }
        var answers: [JSON] = []
        for (name, field) in tokens {
            answers.append([
                "recordName": .string(name), "fieldName": .string(field),
                "url": .string(try uploadURL(to: zone, call)),
            ])
        }
        return ["tokens": .array(answers)]
    }

    /// A URL to which the caller can send files for records of a zone.
    static func uploadURL(to zone: String, _ call: Call) throws(WebError) -> String {
        let ticket = Ticket(.upload, call.caller, call.scope, lasting: validity, subject: Array(zone.utf8))
        let text = try calling { () throws(KinfolkError) in try ticket.text(call.service) }
        return "\(call.services.configuration.origin)/asset/1/\(text)"
    }

    /// The files of fields of records, for fields of other records in the same zone.
    static func rereference(_ call: Call) throws(WebError) -> JSON {
        let zone = try call.zones.name(in: call.members) ?? RecordZone.defaultName
        let wanted = try call.members.listOrOne("assets") { json throws(WebError) in
            let members = try Members(json)
            return (name: try members.requiredText("recordName"), field: try members.requiredText("fieldName"))
        }
        guard let wanted else { throw .missing("assets") }
        let writer = try call.recordWriter()
        let ids = wanted.map { RecordsLookup.id($0.name, zone: zone) }
        let found = try calling { () throws(KinfolkError) in try call.database.fetch(ids.compactMap { try? $0.get() }) }
        var next = found.makeIterator()
        var answers: [JSON] = []
        for (item, id) in zip(wanted, ids) {
            let record = id.flatMap { _ in (next.next() ?? .failure(.cancelled)).mapError(WebError.init(_:)) }
            do throws(WebError) {
                switch try record.get()[item.field] {
                case .asset(let asset)?: answers.append(writer.json(asset))
                case .assetList(let assets)?: answers += assets.map(writer.json)
                default: throw WebError(.notFound, "The record has no such field with a file.")
                }
            } catch { answers.append(writer.json(error, of: item.name)) }
        }
        return ["assets": .array(answers)]
    }

    /// The URL of a file, for those who may read it.
    static func downloadURL(of asset: Asset, _ call: Call) -> String? {
        let subject = AssetReceipt.bytes(of: asset) + Array(asset.zone.utf8)
        let ticket = Ticket(.download, call.caller, call.scope, lasting: validity, subject: subject)
        guard let text = try? ticket.text(call.service) else { return nil }
        return "\(call.services.configuration.origin)/asset/1/\(text)"
    }
}
