import Kinfolk
import KinfolkModel

/// Calls that name the reserved zones and record types, or list all zones and types.
struct LayerNames {
    private let scene: LayerScene

    init(_ scene: LayerScene) { self.scene = scene }

    /// How many calls there were, and which of them did what they should not.
    func successes() throws -> (tries: Int, titles: [String]) {
        var (tries, titles) = (0, [String]())
        func attempt(_ title: String, _ call: () throws -> Bool) {
            tries += 1
            if (try? call()) == true { titles.append(title) }
        }
        let document = try scene.phone.documents.search()[0]
        try scene.store.container.applySchema("DEFINE SCHEMA RECORD TYPE Note (title STRING, other REFERENCE);")
        for database in [scene.phone.privateDatabase, scene.phone.publicDatabase] {
            attempt("a list of zones") {
                try database.zones().contains { $0.name.hasPrefix("_") && $0.name != RecordZone.defaultName }
            }
            attempt("a list of changes") { try !database.changes().changed.isEmpty }
            for zone in ["_keyValueStore", "_documents"] {
                attempt("a zone is made") {
                    _ = try database.save(RecordZone(zone)); return true
                }
                attempt("a zone is deleted") {
                    try database.deleteZone(zone); return true
                }
                attempt("changes of a zone") {
                    _ = try database.changes(inZone: zone); return true
                }
                attempt("a query of a zone") {
                    _ = try database.query(Query("Note"), inZone: zone); return true
                }
                attempt("a subscription of a zone") {
                    try database.save(Subscription(zone: zone)); return true
                }
                attempt("an upload") {
                    _ = try database.beginUpload(zone: zone); return true
                }
                for name in [document.id, document.id.uppercased(), scene.values.keys.sorted()[0], "test"] {
                    attempt("a fetch") {
                        _ = try database.fetch(RecordID(name, zone: zone)); return true
                    }
                    attempt("a deletion") { try !database.delete(RecordID(name, zone: zone)).isEmpty }
                    attempt("a save") {
                        _ = try database.save(Record(type: "Note", id: RecordID(name, zone: zone))); return true
                    }
                    attempt("a reference") {
                        var note = try Record(type: "Note")
                        try note.set(
                            "other",
                            to: .reference(Reference(RecordID(name, zone: zone), action: .deleteSelf))
                        )
                        _ = try database.save(note)
                        return true
                    }
                }
            }
            for type in ["_KeyValue", "_Document"] {
                attempt("a record") {
                    _ = try database.save(Record(type: type)); return true
                }
                attempt("a query") {
                    _ = try database.query(Query(type)); return true
                }
                attempt("a query subscription") {
                    try database.save(Subscription(query: Query(type), options: .firesOnRecordCreation))
                    return true
                }
            }
        }
        for type in ["_KeyValue", "_Document"] {
            attempt("a schema") {
                try scene.store.container.applySchema("DEFINE SCHEMA RECORD TYPE \(type) (title STRING);")
                return true
            }
        }
        attempt("an export of the schema") { try scene.store.container.exportSchema().contains("_Document") }
        return (tries, titles)
    }
}
