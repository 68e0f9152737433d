import Kinfolk
import KinfolkModel
import KinfolkStorage
import TestSupport

/// Sessions in two services that may read an asset, and have readers of it, lose the right. No call that begins afterwards reads it.
struct AssetRevocation {
    private let rounds: Int

    init(rounds: Int) { self.rounds = rounds }

    private enum Event: String, CaseIterable {
        case deletion = "its last record deleted"
        case replacement = "replaced"
        case removal = "its field removed from the record"
        case revocation = "the role revoked"
        case suspension = "the account suspended"
        case erasure = "the account erased"
        case zone = "its zone deleted"
        case expiry = "an upload expired"
        case container = "its container deleted"
        case grants = "the grants of its type changed"
    }

    func findings() throws -> [Finding] {
        var (tries, successes, left) = (0, 0, 0)
        var broken: [String] = []
        for event in Event.allCases {
            let rounds = event == .container || event == .grants ? max(1, rounds / 8) : rounds
            let result = try run(event, rounds: rounds)
            tries += result.tries
            successes += result.successes
            left += result.keys
            if result.successes > 0 { broken.append(event.rawValue) }
        }
        return [
            Finding(
                "\(Event.allCases.count) ways to lose an asset (deleted, replaced, field removed, role revoked, suspended, erased, zone, "
                    + "container, expired, other grants), each \(rounds) times; then it is read by open readers, and named, in two services",
                "\(successes) of \(tries.grouped) calls succeeded"
                    + (broken.isEmpty ? "" : ": \(broken.joined(separator: ", "))"),
                isHeld: successes == 0 && tries > 20 * rounds
            ),
            Finding(
                "the keys of the assets that were deleted, in the rows of the store",
                "\(left) left",
                isHeld: left == 0
            ),
        ]
    }

    private func run(_ event: Event, rounds: Int) throws -> (tries: Int, successes: Int, keys: Int) {
        var (tries, successes, keys) = (0, 0, 0)
        var scene = try AssetScene()
        for round in 0..<rounds {
            if event == .container || event == .grants, round > 0 { scene = try AssetScene() }
            let result = try play(event, scene, round)
            tries += result.tries
            successes += result.successes
            keys += result.keys
        }
        return (tries, successes, keys)
    }

    private func play(_ event: Event, _ scene: AssetScene, _ round: Int) throws -> (
        tries: Int, successes: Int, keys: Int
    ) {
        let (store, container) = (scene.store, scene.store.container)
        let isPublic = [.deletion, .replacement, .removal, .revocation, .container, .grants].contains(event)
        let scope: DatabaseScope = isPublic ? .public : .private
        let zone = event == .zone ? AssetScene.zone : RecordID.defaultZone
        let person = try store.account(InventedPerson(100 + round))
        // In a private database the person reads own assets, in the public one those of the owner.
        let author = isPublic ? scene.owner : try container.session(for: person)
        let database = author.database(scope)
        if event == .zone { try database.save(RecordZone(zone)) }
        if event == .revocation {
            for account in [scene.account, person] { try container.grantRole(AssetScene.role, to: account) }
        }
        let content = AssetScene.content(600_000, seed: UInt64(round))
        let asset = try database.upload(content, zone: zone)
        var record: Record?
        if event != .expiry {
            let type = event == .revocation ? "Draft" : "Note"
            record = try database.save(AssetScene.record([asset], type: type, zone: zone))
        }
        let elsewhere = try store.reopened()
        let sessions = [
            try container.session(for: person),
            try elsewhere.container(AttackedStore.containerName).session(for: elsewhere.account(person.id)),
        ]
        let readers = try sessions.map { try $0.database(scope).reader(of: asset) }
        for reader in readers {
            guard try reader.read(at: 300_000, count: 100) == Array(content[300_000..<300_100]) else {
                throw ExperimentFailure("a reader has read wrong bytes")
            }
        }
        try happen(event, scene, person, database, record, zone)
        var (tries, successes) = (0, 0)
        func attempt(_ call: () throws -> Void) {
            tries += 1
            if (try? call()) != nil { successes += 1 }
        }
        for (session, reader) in zip(sessions, readers) {
            // The chunk that the reader has in memory, another one, and nothing.
            attempt { _ = try reader.read(at: 300_000, count: 100) }
            attempt { _ = try reader.read(at: 0, count: 600_000) }
            attempt { _ = try reader.read(at: 0, count: 0) }
            attempt { _ = try reader.read(at: .max, count: 1) }
            attempt { _ = try session.database(scope).reader(of: asset) }
            attempt { try session.database(scope).save(asset, to: store.folder.file("stolen")) }
            for type in ["Note", "Draft"] {
                attempt { _ = try session.database(scope).save(AssetScene.record([asset], type: type, zone: zone)) }
            }
        }
        // The owner of a deleted asset has lost it too.
        if isPublic, event != .revocation, event != .grants {
            attempt { _ = try scene.owner.publicDatabase.reader(of: asset) }
            attempt { _ = try scene.owner.publicDatabase.save(AssetScene.record([asset])) }
        }
        // The rows of a zone are removed later: its own key is gone.
        let isKept = [.revocation, .suspension, .grants, .zone].contains(event)
        let keys = try store.service.read { db in
            try db.first("SELECT count(*) FROM assets WHERE id = $1", .id(asset.id)) { Int($0.integer(0)) } ?? 0
        }
        return (tries, successes, isKept ? 0 : keys)
    }

    private func happen(
        _ event: Event,
        _ scene: AssetScene,
        _ person: Account,
        _ database: Database,
        _ record: Record?,
        _ zone: String
    ) throws {
        let (store, container) = (scene.store, scene.store.container)
        guard var record else {
            store.clock.advance(hours: 24.01)
            for work in store.service.components.flatMap(\.often) { try work(store.service) }
            return
        }
        switch event {
        case .deletion: try database.delete(record.id)
        case .replacement:
            try record.set("file", to: .asset(database.upload([1, 2, 3])))
            _ = try database.save(record)
        case .removal:
            try record.remove("file")
            _ = try database.run([.replace(record)])[0].get()
        case .revocation: try container.revokeRole(AssetScene.role, from: person)
        case .suspension: try person.suspend()
        case .erasure: _ = try person.erase()
        case .zone: try database.deleteZone(zone)
        case .container: try store.service.deleteContainer(AttackedStore.containerName)
        case .grants:
            try container.applySchema(
                "DEFINE SCHEMA RECORD TYPE Note (GRANT READ TO \"_creator\", GRANT CREATE TO \"_icloud\", GRANT WRITE TO \"_creator\");"
            )
        case .expiry: break
        }
    }
}
