import Kinfolk
import KinfolkModel

/// An editor may write forms, but not read them. The editor tries to learn whether forms have assets, and to get those assets.
struct HiddenAssets {
    func finding() throws -> Finding {
        let scene = try AssetScene()
        let store = scene.store
        let editorAccount = try store.account(InventedPerson(9))
        try store.container.grantRole(AssetScene.role, to: editorAccount)
        let editor = try store.container.session(for: editorAccount).publicDatabase
        let asset = try scene.owner.publicDatabase.upload(AssetScene.content(1_000))
        func form(_ name: String, _ assets: [Asset]) throws -> RecordID {
            try scene.owner.publicDatabase.save(AssetScene.record(assets, type: "Form", id: RecordID(name))).id
        }
        let (with, without) = (try form("with", [asset]), try form("none", []))
        var (calls, different, reached) = (0, 0, 0)
        func compare(_ change: (RecordID) throws -> String) {
            let answers = [with, without].map { id in
                do { return try change(id) } catch { return (error as? KinfolkError)?.shown ?? "\(error)" }
            }
            calls += 2
            if answers[0].replacing("with", with: "none") != answers[1] { different += 1 }
        }
        for operation in 0..<2 {
            compare { id in
                var record = try Record(type: "Form", id: id)
                try record.set("title", to: .string("read"))
                let result = try editor.run([operation == 0 ? .forceUpdate(record) : .create(record)])[0].get()
                return (result?.keys ?? []).joined(separator: " ")
            }
        }
        for policy in [SavePolicy.changedKeys, .allKeys] {
            compare { id in
                var record = try Record(type: "Form", id: id)
                try record.set("title", to: .string("read"))
                return try editor.save(record, policy: policy).keys.joined(separator: " ")
            }
        }
        compare { id in
            _ = try editor.fetch(id); return "fetched"
        }
        // The editor keeps the asset of a record that cannot be read, or moves it.
        for names in [["file"], ["files"]] {
            calls += 1
            var record = try Record(type: "Form", id: with)
            try record.set(names[0], to: names[0] == "file" ? .asset(asset) : .assetList([asset]))
            if (try? editor.save(record, policy: .changedKeys)) != nil { reached += 1 }
        }
        if (try? editor.reader(of: asset)) != nil { reached += 1 }
        let isThere = (try? scene.owner.publicDatabase.reader(of: asset)) != nil
        return Finding(
            "an editor who may write forms, and not read them, saves forms with and without an asset",
            "\(different) of \(calls) answers tell which one has an asset, \(reached) calls reach it"
                + (isThere ? "" : ", and it is lost"),
            isHeld: different == 0 && reached == 0 && isThere
        )
    }
}
