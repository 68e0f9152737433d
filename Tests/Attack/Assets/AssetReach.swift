import Foundation
import Kinfolk
import KinfolkModel
import KinfolkStorage
import TestSupport

/// Sessions of others, and the owner with forged values, try to read and to name assets in every way. They know all values of the assets.
struct AssetReach {
    private struct Held {
        let asset: Asset
        let content: [UInt8]
        /// Nil for the public database.
        let scope: DatabaseScope
    }

    private let scene: AssetScene
    private let held: [Held]
    private let editor: Session

    init() throws {
        scene = try AssetScene()
        let (owner, container) = (scene.owner, scene.store.container)
        let editorAccount = try scene.store.account(InventedPerson(9))
        editor = try container.session(for: editorAccount)
        for account in [scene.account, editorAccount] { try container.grantRole(AssetScene.role, to: account) }
        var held: [Held] = []
        func hold(_ seed: UInt64, _ database: Database, _ scope: DatabaseScope, zone: String, type: String?) throws {
            let content = AssetScene.content(300_000, seed: seed)
            let asset = try database.upload(content, zone: zone)
            if let type { _ = try database.save(AssetScene.record([asset], type: type, zone: zone)) }
            held.append(Held(asset: asset, content: content, scope: scope))
        }
        try hold(1, owner.privateDatabase, .private, zone: RecordID.defaultZone, type: "Note")
        try hold(2, owner.privateDatabase, .private, zone: AssetScene.zone, type: "Note")
        try hold(3, owner.privateDatabase, .private, zone: RecordID.defaultZone, type: nil)
        try hold(4, owner.publicDatabase, .public, zone: RecordID.defaultZone, type: "Draft")
        try hold(5, owner.publicDatabase, .public, zone: RecordID.defaultZone, type: "Form")
        try hold(6, owner.publicDatabase, .public, zone: RecordID.defaultZone, type: nil)
        self.held = held
    }

    func findings() throws -> [Finding] {
        let intruders = try intruders()
        let folder = scene.store.folder.path
        let before = try AssetScene.bytes(scene.store.service)
        var (tries, successes, different) = (0, 0, 0)
        for session in intruders {
            for scope in DatabaseScope.allCases {
                var calls = AssetCalls(session.database(scope), folder: folder)
                for held in held {
                    let start = calls.answers.count
                    calls.run(held.asset)
                    let answers = calls.answers[start...].prefix(calls.answers.count)
                    var none = AssetCalls(session.database(scope), folder: folder)
                    let missing = Asset(
                        id: .make(),
                        zone: held.asset.zone,
                        size: held.asset.size,
                        sha256: held.asset.sha256
                    )
                    none.run(missing)
                    different += zip(answers, none.answers).count { $0 != $1 }
                }
                for forged in held.flatMap({ $0.asset.forged() }) { calls.run(forged) }
                tries += calls.answers.count
                successes += calls.successes
            }
        }
        var (forgeries, forged) = (0, 0)
        for held in held {
            for scope in DatabaseScope.allCases {
                var calls = AssetCalls(scene.owner.database(scope), folder: folder)
                for asset in held.asset.forged() { calls.run(asset) }
                // The asset itself, in the other database.
                if scope != held.scope { calls.run(held.asset) }
                forgeries += calls.answers.count
                forged += calls.successes
            }
        }
        let left = held.count { held in
            let database = scene.owner.database(held.scope)
            return (try? database.reader(of: held.asset).read(at: 0, count: held.content.count)) == held.content
        }
        guard left == held.count, try editor.publicDatabase.reader(of: held[3].asset).read(at: 0, count: 1).count == 1
        else { throw ExperimentFailure("those who may read the assets cannot, or not any more") }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).count { $0.hasPrefix("stolen") }
        let stored = try AssetScene.bytes(scene.store.service)
        let findings = try scene.store.service.check().findings.count
        return [
            Finding(
                "\(intruders.count) sessions without the right (another user, also in another process; an editor whose role was revoked, "
                    + "or who is suspended or erased; anonymous; the owner elsewhere) read and name \(held.count) assets and forgeries "
                    + "of them, in every way, all values known",
                "\(successes) of \(tries.grouped) calls succeeded, \(files) files made",
                isHeld: successes == 0 && files == 0 && tries > 1_000
            ),
            Finding(
                "the answers about these assets, compared with those about assets that do not exist",
                "\(different) differ",
                isHeld: different == 0
            ),
            Finding(
                "the owner uses the assets with another size, hash, ID or zone, and in the other database",
                "\(forged) of \(forgeries.grouped) calls succeeded",
                isHeld: forged == 0 && forgeries > 500
            ),
            Finding(
                "afterwards, the assets and the counts of bytes",
                "\(held.count - left) of \(held.count) lost, \(findings) findings of the check",
                isHeld: findings == 0 && stored.stored == stored.counted && stored.rows == before.rows
            ),
        ]
    }

    private func intruders() throws -> [Session] {
        let store = scene.store
        let accounts = try (3...5).map { try store.account(InventedPerson($0)) }
        let sessions = try accounts.map { account in
            try store.container.grantRole(AssetScene.role, to: account)
            let session = try store.container.session(for: account)
            // It has used the role.
            _ = try session.publicDatabase.reader(of: held[3].asset)
            return session
        }
        try store.container.revokeRole(AssetScene.role, from: accounts[0])
        try accounts[1].suspend()
        _ = try accounts[2].erase()
        let other = try store.account(InventedPerson(2))
        let chess = try store.service.createContainer("com.example.chess")
        let development = try store.service.container(AttackedStore.containerName, environment: .development)
        for container in [chess, development] {
            try container.applySchema(AssetScene.schema)
            try container.grantRole(AssetScene.role, to: scene.account)
        }
        let elsewhere = try store.reopened()
        return try [
            store.container.session(for: other),
            elsewhere.container(AttackedStore.containerName).session(for: elsewhere.account(other.id)),
            store.container.anonymousSession(),
            chess.session(for: scene.account),
            development.session(for: scene.account),
        ] + sessions
    }
}
