import Kinfolk

/// A store with a container whose schema has one record type, and a user whose records others are after.
struct RecordScene {
    static let type = "Note"
    /// In every value of the user's private records.
    static let secret = "secret-of-the-owner"
    /// The value that attackers write.
    static let forgery = "forged"

    let store: AttackedStore
    let owner: Session
    let account: Account

    init() throws {
        store = try AttackedStore()
        try RecordScene.declareFields(in: store.container)
        account = try store.account(InventedPerson(1))
        owner = try store.container.session(for: account)
    }

    /// The operator declares them: in production, private databases add nothing to the schema.
    static func declareFields(in container: Container) throws {
        for type in [RecordScene.type, "Users"] {
            try container.addField("title", type: .string, to: type)
            try container.addField("count", type: .int64, to: type)
        }
    }

    static func record(_ id: RecordID = RecordID(), type: String = RecordScene.type, title: String) throws -> Record {
        var record = try Record(type: type, id: id)
        try record.set("title", to: .string(title))
        try record.set("count", to: .int64(Int64(title.utf8.count)))
        return record
    }

    /// The record with all values replaced, as an attacker sends it.
    static func forged(_ record: Record) throws -> Record {
        var record = record
        try record.set("title", to: .string(forgery))
        try record.set("count", to: .int64(0))
        return record
    }

    /// Saves the owner's private user record, and private records with these IDs.
    @discardableResult func savePrivateRecords(_ ids: [RecordID]) throws -> [Record] {
        var user = try owner.fetchUserRecord(in: .private)
        try user.set("title", to: .string(RecordScene.secret))
        var saved = [try owner.save(user)]
        for start in stride(from: 0, to: ids.count, by: Database.maximumBatch) {
            let page = ids[start..<min(start + Database.maximumBatch, ids.count)]
            let operations = try page.map { id in
                RecordOperation.create(try RecordScene.record(id, title: "\(RecordScene.secret) \(id.name)"))
            }
            saved += try owner.privateDatabase.run(operations).compactMap { try $0.get() }
        }
        return saved
    }
}
