import Foundation
import Kinfolk
import KinfolkFiles
import TestSupport

/// Searches the files of a store and of its backup for what keys and documents consist of.
struct StoredLayers {
    let count: Int

    func findings() throws -> [Finding] {
        let scene = try LayerScene(count: count)
        let (store, documents) = (scene.store, scene.phone.documents)
        let all = try documents.search()
        let excluded = try all.prefix(count / 2).map { try documents.setExcludedFromBackup(true, $0) }
        // Versions, conflicts, positions of devices, tombstones.
        let tablet = try store.container.session(for: scene.account, device: "\(LayerScene.word) tablet")
        _ = try tablet.keyValueStore().synchronize()
        for document in all.suffix(3) {
            let seen = try tablet.documents.document(id: document.id)
            _ = try documents.save(document, contents: Array("\(LayerScene.word) again".utf8))
            _ = try tablet.documents.save(seen, contents: Array("\(LayerScene.word) conflict".utf8))
        }
        try scene.keys.removeValue(forKey: "\(LayerScene.word) key 0")
        let found = try StoredLayers.places(of: LayerScene.word, in: store.folder)

        try store.service.backUp(to: store.folder.file("backup.db"))
        let restored = try StoredLayers.restored(store)
        let session = try restored.container(AttackedStore.containerName).session(
            for: restored.account(scene.account.id)
        )
        let kept = Set(try session.documents.search().map(\.id))
        guard kept.count == all.count - excluded.count else {
            throw ExperimentFailure("the backup lacks other documents")
        }
        let leaked = excluded.count { kept.contains($0.id) }
        let raw = try RawDatabase(store.folder.file("restored.db"))
        let chunks = try raw.value("SELECT count(*) FROM asset_chunks") ?? ""
        let needed = try RawDatabase(store.path).value("SELECT count(*) FROM asset_chunks").flatMap(Int.init) ?? 0

        let user = try scene.phone.userRecordID()
        _ = try scene.account.erase()
        let owner = "x'\(user.description.dropFirst())'"
        let left = try ["records", "assets", "record_references", "zones", "change_counts", "record_bytes"].filter {
            table in
            try RawDatabase(store.path).value("SELECT count(*) FROM \(table) WHERE owner = \(owner)") != "0"
        }
        return [
            Finding(
                "the bytes of a store and its backup with \(count) keys and documents, conflicts and two devices are searched for names, "
                    + "values, paths and contents",
                "\(found.count + (try StoredLayers.places(of: LayerScene.word, in: store.folder).count)) files have one",
                isHeld: try found.isEmpty && StoredLayers.places(of: LayerScene.word, in: store.folder).isEmpty
            ),
            Finding(
                "a backup with its key, for \(excluded.count) documents that are excluded from backups",
                "\(leaked) are in it, and \(chunks) of \(needed) pieces of contents",
                isHeld: leaked == 0 && chunks == "\(needed - excluded.count)"
            ),
            Finding(
                "the account is erased: rows of its keys and documents",
                left.isEmpty ? "0 tables have some" : "some in \(left.joined(separator: ", "))",
                isHeld: left.isEmpty
            ),
        ]
    }

    private static func restored(_ store: AttackedStore) throws -> Service {
        let key = KeySource.file(store.folder.file("kinfolk.key"))
        try Service.restore(store.folder.file("restored.db"), from: store.folder.file("backup.db"), key: key)
        return try Service.open(store.folder.file("restored.db"), key: key)
    }

    /// The files of a folder that have a word.
    private static func places(of word: String, in folder: TemporaryFolder) throws -> [String] {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        guard files.contains("kinfolk.db") else { throw ExperimentFailure("the store is not in its folder") }
        return try files.filter { file in
            let data = try Data(contentsOf: URL(fileURLWithPath: folder.file(file)))
            return data.range(of: Data(word.utf8)) != nil
        }
    }
}
