import Kinfolk

/// A container whose notes refer to notes.
struct ReferenceScene {
    static let type = "Note"

    let store: AttackedStore
    let ownerAccount: Account
    let owner: Session

    /// - Parameter grants: The grants of the record type; nil for those that a type has by default.
    init(grants: String? = nil) throws {
        store = try AttackedStore()
        try store.container.addField("title", type: .string, to: ReferenceScene.type)
        try store.container.addField("link", type: .reference, to: ReferenceScene.type)
        try store.container.addField("links", type: .referenceList, to: ReferenceScene.type)
        if let grants {
            try store.container.applySchema(
                "DEFINE SCHEMA CREATE ROLE \(HiddenRecords.role); RECORD TYPE \(ReferenceScene.type) (\(grants));"
            )
        }
        ownerAccount = try store.account(InventedPerson(1))
        owner = try store.container.session(for: ownerAccount)
    }

    static func record(
        _ id: RecordID = RecordID(),
        _ action: ReferenceAction? = nil,
        _ target: RecordID? = nil,
        parent: RecordID? = nil
    ) throws -> Record {
        var record = try Record(type: type, id: id)
        try record.set("title", to: .string("note"))
        if let action, let target { try record.set("link", to: .reference(Reference(target, action: action))) }
        if let parent { try record.setParent(parent) }
        return record
    }

    /// Saves records of which most fit into no single batch. Returns how many were saved.
    @discardableResult
    static func save(_ records: [Record], in database: Database, atomically: Bool = false) throws -> Int {
        var saved = 0
        for start in stride(from: 0, to: records.count, by: Database.maximumBatch) {
            let page = records[start..<min(start + Database.maximumBatch, records.count)]
            saved += try database.run(page.map(RecordOperation.create), atomically: atomically).count {
                (try? $0.get()) != nil
            }
        }
        return saved
    }
}
