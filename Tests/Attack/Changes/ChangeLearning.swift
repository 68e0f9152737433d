import Kinfolk

/// Compares everything that a user is told about zones and changes in two stores: in one of them another user has zones with the same
/// names, records and references in them, and deleted some.
struct ChangeLearning {
    private let zones: Int

    init(zones: Int) { self.zones = zones }

    func findings() throws -> [Finding] {
        let alone = try transcript(ofOwner: false, inUse: false)
        let beside = try transcript(ofOwner: false, inUse: true)
        let differences = zip(alone, beside).count { $0 != $1 } + abs(alone.count - beside.count)
        guard try transcript(ofOwner: true, inUse: false) != transcript(ofOwner: true, inUse: true) else {
            throw ExperimentFailure("the zones change no answer to their own user")
        }
        return [
            Finding(
                "every call about \(zones) zones and the changes in them, in a store where another user has zones with these names, and in "
                    + "one where nobody has",
                "\(differences) of \(alone.count.grouped) answers differ",
                isHeld: differences == 0 && alone.count > 20 * zones
            )
        ]
    }

    /// - Parameters:
    ///   - ofOwner: Whether the calls are those of the user whose zones they are, and not of another one.
    ///   - inUse: Whether the zones exist.
    private func transcript(ofOwner: Bool, inUse: Bool) throws -> [String] {
        let scene = try RecordScene()
        try scene.store.container.addField("list", type: .reference, to: RecordScene.type)
        let other = try scene.store.session(InventedPerson(2))
        let names = (0..<zones).map { "Zone \($0)" }
        if inUse { for name in names { try furnish(name, scene.owner.privateDatabase) } }
        // A user who has a zone of their own already.
        try other.privateDatabase.save(RecordZone("Own"))
        let database = (ofOwner ? scene.owner : other).privateDatabase
        var answers: [String] = []
        func note(_ call: () throws -> String) {
            do { answers.append(RecordLearning.withoutRandomness(try call())) } catch {
                answers.append((error as? KinfolkError)?.shown ?? "\(error)")
            }
        }
        for name in names {
            let id = try RecordID("held", zone: name)
            let record = try RecordScene.record(id, title: "mine")
            // Before the zone exists for this user, while it does, and after it was deleted.
            for phase in 0..<3 {
                if phase == 1 { note { try database.save(RecordZone(name)).name } }
                if phase == 2 {
                    note {
                        try database.deleteZone(name)
                        return "deleted"
                    }
                }
                note { try database.zones().map(\.name).joined(separator: ",") }
                note { shown(try database.changes()) }
                note { shown(try database.changes(inZone: name)) }
                note { try database.fetch(id).shown }
                note { "\(try database.backReferences(to: id).map(\.source.name))" }
                note { try database.save(record, policy: .allKeys).shown }
                note { try database.save(referring(to: id)).shown }
                note { "\(try database.delete(id).map(\.id.name))" }
                note { "\(try database.run([.forceDelete(id), .create(referring(to: id))]).map { $0 })" }
            }
        }
        return answers
    }

    private func furnish(_ name: String, _ database: Database) throws {
        try database.save(RecordZone(name))
        let id = try RecordID("held", zone: name)
        _ = try database.save(RecordScene.record(id, title: RecordScene.secret))
        _ = try database.save(referring(to: id))
        let deleted = try RecordID("gone", zone: name)
        _ = try database.save(RecordScene.record(deleted, title: RecordScene.secret))
        try database.delete(deleted)
    }

    private func referring(to id: RecordID) throws -> Record {
        var record = try RecordScene.record(RecordID(zone: id.zone), title: "source")
        try record.set("list", to: .reference(Reference(id, action: .validate)))
        return record
    }

    private func shown(_ changes: DatabaseChanges) -> String {
        "\(changes.changed.map(\.name)) \(changes.deleted.map(\.name)) \(changes.moreComing) \(changes.token.bytes.count)"
    }

    private func shown(_ changes: RecordZoneChanges) -> String {
        let deleted = changes.deleted.map { "\($0.type) \($0.id.name)" }
        return "\(changes.records.map(\.shown)) \(deleted) \(changes.moreComing) \(changes.token.bytes.count)"
    }
}
