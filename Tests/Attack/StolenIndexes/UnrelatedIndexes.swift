import Kinfolk
import KinfolkCrypto

/// Records with the same values, words and locations have unrelated tags in two databases, creators' scopes, fields, types, environments,
/// containers and stores. In two zones of one database, only words have.
struct UnrelatedIndexes {
    private static let zones = ["Family", "Work"]

    func findings() throws -> [Finding] {
        let visit = try IndexedVisit(1)
        var scopes = StolenIndexes.tables.reduce(into: [String: [(store: Int, tag: Tag, scope: StolenIndexes.Scope)]]())
        { $0[$1] = [] }
        var shared = 0
        for number in 0..<2 {
            let indexes = try UnrelatedIndexes.indexes(of: visit)
            shared += UnrelatedIndexes.sharedByFields(indexes, visit)
            for (table, tags) in indexes.scopes {
                for (tag, found) in tags { scopes[table]?.append(contentsOf: found.map { (number, tag, $0) }) }
            }
        }
        let count = Set(scopes.values.joined().map { "\($0.store) \($0.scope)" }).count
        guard count == 54, scopes.values.allSatisfy({ $0.count > 2 * count }) else {
            throw ExperimentFailure("\(count) scopes, \(scopes.mapValues(\.count)) tags")
        }
        var (linked, inZones) = (0, [String: Int]())
        for (table, rows) in scopes {
            for same in Dictionary(grouping: rows, by: \.tag).values where same.count > 1 {
                // The records of a creator in the public database are a scope of their own, and not a zone.
                let databases = same.map {
                    "\($0.store) \($0.scope.container) \($0.scope.owner) \($0.scope.zone == -1)"
                }
                if Set(databases).count == 1 {
                    inZones[table, default: 0] += 1
                } else {
                    linked += 1
                }
            }
        }
        return [
            Finding(
                "the same values, words and locations in \(count) zones and creators' scopes of 2 stores with 3 containers each, and in 2 "
                    + "types and 2 fields: \(scopes.values.map(\.count).reduce(0, +).grouped) tags in the indexes",
                "\(linked) shared by two databases, creators, containers or stores, \(shared) by two fields, "
                    + "\(inZones["postings", default: 0]) of words by two zones",
                isHeld: linked == 0 && shared == 0 && inZones["postings"] == nil
            ),
            Finding(
                "not promised: tags that two zones of one private database share",
                "\(inZones["index_entries", default: 0].grouped) of values, \(inZones["cell_entries", default: 0].grouped) of cells",
                isHeld: true
            ),
        ]
    }

    /// The indexes of a store with one record in each zone and type, all with the same values.
    private static func indexes(of visit: IndexedVisit) throws -> StolenIndexes {
        let store = try AttackedStore()
        let containers = [
            store.container, try store.service.createContainer("com.example.chess"),
            try store.service.container(AttackedStore.containerName, environment: .development),
        ]
        let accounts = try (1...2).map { try store.account(InventedPerson($0)) }
        for container in containers {
            try container.applySchema(IndexedVisit.schema(IndexedVisit.readAsCreator))
            for account in accounts {
                let session = try container.session(for: account)
                for zone in zones { _ = try session.privateDatabase.save(RecordZone(zone)) }
                for type in [IndexedVisit.type, "Other"] {
                    let name = try "\(type) \(session.userRecordID())"
                    _ = try session.publicDatabase.save(visit.record(RecordID(name), type: type))
                    for zone in [RecordID.defaultZone] + zones {
                        _ = try session.privateDatabase.save(visit.record(RecordID(name, zone: zone), type: type))
                    }
                }
            }
        }
        return try StolenIndexes(StolenFile(store.path))
    }

    /// How many tags two fields or types share. There is one record of each type in a zone, and both fields have the same values.
    private static func sharedByFields(_ indexes: StolenIndexes, _ visit: IndexedVisit) -> Int {
        let (fields, accounts) = (2 * IndexedVisit.fields.count, 2)
        func shared(_ table: String, _ expected: (StolenIndexes.Scope) -> Int) -> Int {
            let scopes = indexes.scopes[table, default: [:]].values.joined()
            return Dictionary(grouping: scopes) { $0 }.reduce(0) { $0 + expected($1.key) - $1.value.count }
        }
        return shared("cell_entries") { _ in fields * visit.cells.count }
            + shared("postings") { _ in fields * visit.words.count }
            + shared("index_entries") { scope in
                // Also the type in a creator's scope, and each creator, alone and with each type, in the public database.
                let others = scope.zone == -1 ? 2 : scope.owner.isEmpty ? accounts + 2 * accounts : 0
                return fields * visit.values.count + others
            }
    }
}
