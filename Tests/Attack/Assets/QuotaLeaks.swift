import Kinfolk
import KinfolkFiles
import KinfolkModel
import KinfolkRecords
import TestSupport

/// Repeats everything that stores and removes bytes, with cancellations, errors and second accounts in between. At the end nothing is stored
/// and nothing counted, and the quota can be used up to its last byte.
struct QuotaLeaks {
    private let rounds: Int

    init(rounds: Int) { self.rounds = rounds }

    private static let quota = 400_000

    private enum Way: String, CaseIterable {
        case cancelled, failed, saved, replaced, shared, zone, batch, refused, erased, keptAndErased, expired, rotated,
            cascaded, container
    }

    func findings() throws -> [Finding] {
        var leaks: [String] = []
        var repetitions = 0
        for way in Way.allCases {
            let count = [.rotated, .container, .erased, .keptAndErased].contains(way) ? max(3, rounds / 10) : rounds
            repetitions += count
            let scene = try AssetScene()
            try scene.store.container.setQuota(.user, to: QuotaLeaks.quota)
            try scene.store.container.setQuota(.creator, to: QuotaLeaks.quota)
            try scene.store.container.setQuota(.publicDatabase, to: 2 * QuotaLeaks.quota)
            for round in 0..<count {
                for scope in DatabaseScope.allCases { try run(way, round, scene, scope) }
            }
            scene.store.clock.advance(hours: 25)
            try AssetScene.clean(scene.store.service)
            let left = try AssetScene.bytes(scene.store.service)
            let findings = try scene.store.service.check().findings
            let isEmpty = left == AssetScene.Bytes()
            if !isEmpty || !findings.isEmpty { leaks.append("\(way.rawValue) \(left) \(findings.count)") }
            if way != .container { try fill(scene, way, &leaks) }
        }
        return [
            Finding(
                "\(Way.allCases.count) ways to store and remove assets (cancelled, failed, replaced, shared, in zones, batches, cascades, "
                    + "containers, by erased accounts, through rotations, expired, refused), \(repetitions.grouped) times in both databases; "
                    + "then what is stored and counted, and the check",
                leaks.isEmpty ? "0 leaks" : leaks.joined(separator: "; "),
                isHeld: leaks.isEmpty
            ),
            try afterRestore(),
        ]
    }

    /// The whole quota can be used again, and not a byte more.
    private func fill(_ scene: AssetScene, _ way: Way, _ leaks: inout [String]) throws {
        let newcomer = try scene.store.session(InventedPerson(7_777))
        for database in [newcomer.privateDatabase, newcomer.publicDatabase] {
            func used() throws -> Int {
                let use = try newcomer.storageUse()
                return database.scope == .private ? use.privateBytes : use.publicBytes
            }
            _ = try database.upload([1])
            let one = try used()
            _ = try database.upload([UInt8](repeating: 1, count: QuotaLeaks.quota * 3 / 4))
            while (try? database.upload([1])) != nil {}
            let left = QuotaLeaks.quota - (try used())
            if left < 0 || left >= one { leaks.append("\(way.rawValue): \(left) bytes of the quota left") }
        }
    }

    private func run(_ way: Way, _ round: Int, _ scene: AssetScene, _ scope: DatabaseScope) throws {
        let database = scene.owner.database(scope)
        let bytes = [UInt8](repeating: 5, count: 1 + round * 7_919 % 120_000)
        func saved() throws -> Record { try database.save(AssetScene.record([database.upload(bytes)])) }
        switch way {
        case .cancelled:
            let upload = try database.beginUpload()
            try upload.write(bytes)
            // One that has written nothing, one that is complete, and one in between.
            if round % 3 == 0 { _ = try upload.finish() }
            if round % 3 == 1 { try? upload.write([UInt8](repeating: 5, count: 1_100_000)) }
            upload.cancel()
            if round % 3 == 0 { scene.store.clock.advance(hours: 25); try AssetScene.clean(scene.store.service) }
        case .failed:
            let upload = try database.beginUpload()
            try? upload.write(bytes)
            try? upload.add(file: scene.store.folder.file("none"))
            _ = try? upload.finish()
        case .saved: try database.delete(saved().id)
        case .replaced:
            var record = try saved()
            for _ in 0..<2 {
                try record.set("file", to: .asset(database.upload(bytes)))
                record = try database.save(record)
            }
            try record.set("files", to: .assetList([database.upload([1])]))
            try record.remove("file")
            record = try database.save(record, policy: .allKeys)
            try database.delete(record.id)
        case .shared:
            let asset = try database.upload(bytes)
            let records = try (0..<3).map { _ in try database.save(AssetScene.record([asset, asset])) }
            for record in records { try database.delete(record.id) }
        case .zone:
            guard scope == .private else { return }
            let zone = "Zone-\(round)"
            try database.save(RecordZone(zone))
            let asset = try database.upload(bytes, zone: zone)
            if round.isMultiple(of: 2) { _ = try database.save(AssetScene.record([asset], zone: zone)) }
            let upload = try database.beginUpload(zone: zone)
            try upload.write([UInt8](repeating: 5, count: 10))
            try database.deleteZone(zone)
            _ = try? upload.finish()
        case .batch:
            let assets = try (0..<3).map { _ in try database.upload([UInt8](repeating: 5, count: 1_000)) }
            let records = try assets.map { try AssetScene.record([$0]) }
            let foreign = try AssetScene.record([
                Asset(id: .make(), zone: RecordID.defaultZone, size: 1, sha256: assets[0].sha256)
            ])
            // Nothing of this is done.
            _ = try database.run(records.map { .create($0) } + [.create(foreign)], atomically: true)
            let results = try database.run(records.map { .create($0) } + [.create(foreign)])
            let known = results.compactMap { (try? $0.get()) ?? nil }
            _ = try database.run(known.map { .delete($0.id, changeTag: $0.changeTag) }, atomically: true)
        case .refused:
            let record = try saved()
            _ = try? database.upload([UInt8](repeating: 5, count: QuotaLeaks.quota))
            var large = record
            try large.set("title", to: .string(String(repeating: "x", count: 500_000)))
            _ = try? database.save(large)
            try database.delete(record.id)
        case .erased, .keptAndErased:
            let account = try scene.store.account(InventedPerson(1_000 + round))
            let session = try scene.store.container.session(for: account).database(scope)
            let asset = try session.upload(bytes)
            let record = try session.save(AssetScene.record([asset]))
            _ = try session.upload([1])
            let upload = try session.beginUpload()
            try upload.write([2])
            _ = try account.erase(keepsPublicRecords: way == .keptAndErased)
            _ = try? upload.finish()
            // The operator's own deletion of what stays.
            if way == .keptAndErased, scope == .public {
                try scene.store.container.applySchema(
                    "DEFINE SCHEMA RECORD TYPE Note (GRANT READ TO \"_world\", GRANT CREATE, WRITE TO \"_icloud\");"
                )
                try database.delete(record.id)
            }
        case .expired:
            _ = try database.upload(bytes)
            try database.beginUpload().write(bytes)
            scene.store.clock.advance(hours: 24.1)
            try AssetScene.clean(scene.store.service)
        case .rotated:
            let record = try saved()
            let upload = try database.beginUpload()
            try upload.write([UInt8](repeating: 5, count: 1_000))
            _ = try scene.store.service.rotateKeys()
            upload.cancel()
            try database.delete(record.id)
        case .cascaded:
            if round == 0, scope == .public {
                try scene.store.container.addField("above", type: .reference, to: "Note")
            }
            let root = try saved()
            var child = try AssetScene.record([database.upload([1, 2])])
            try child.set("above", to: .reference(Reference(root, action: .deleteSelf)))
            _ = try database.save(child)
            try database.delete(root.id)
        case .container:
            let name = "com.example.short\(round)\(scope.rawValue)"
            let container = try scene.store.service.createContainer(name)
            try container.applySchema(AssetScene.schema)
            let session = try container.session(for: scene.account).database(scope)
            _ = try session.save(AssetScene.record([session.upload(bytes)]))
            try session.beginUpload().write([UInt8](repeating: 5, count: 1_100_000))
            try scene.store.service.deleteContainer(name)
        }
    }

    /// A store that is restored has the assets and counts of its backup.
    private func afterRestore() throws -> Finding {
        let scene = try AssetScene()
        let (store, database) = (scene.store, scene.owner.privateDatabase)
        let content = AssetScene.content(600_000)
        let record = try database.save(AssetScene.record([database.upload(content)]))
        let open = try database.beginUpload()
        try open.write(AssetScene.content(1_500_000))
        let backup = store.folder.file("backup.db")
        try store.service.backUp(to: backup)
        try database.delete(record.id)
        _ = try open.finish()
        let restored = store.folder.file("restored.db")
        _ = try Service.restore(restored, from: backup, key: .file(store.folder.file("kinfolk.key")))
        let service = try Service.open(restored, key: .file(store.folder.file("kinfolk.key")), existingOnly: true)
        let session = try service.container(AttackedStore.containerName).session(for: service.account(scene.account.id))
        let findings = try service.check().findings.count
        guard case .asset(let asset)? = try session.privateDatabase.fetch(record.id)["file"] else {
            throw ExperimentFailure("the restored record has no asset")
        }
        let isEqual = try session.privateDatabase.reader(of: asset).read(at: 0, count: content.count) == content
        try session.privateDatabase.delete(record.id)
        // The clock of the restored store is the system's: the upload expired long ago.
        try AssetScene.clean(service)
        let left = try AssetScene.bytes(service)
        return Finding(
            "a backup with an asset and an unfinished upload, restored after both were gone",
            "\(isEqual ? "equal" : "other") bytes, \(findings) findings; \(left.counted) bytes counted after deletion and expiry",
            isHeld: isEqual && findings == 0 && left == AssetScene.Bytes()
        )
    }
}
