import Kinfolk
import KinfolkModel
import KinfolkStorage
import TestSupport

/// What an administrator of the store, who has no key, does to the rows of assets. A read gives the right bytes or an error, the service
/// goes on, and the owner can delete everything and leave.
struct EditedAssets {
    private struct Edit {
        let title: String
        let sql: String
        /// Whether the check must find it.
        var isFound = true
    }

    private static let first = "(SELECT min(number) FROM assets)"
    private static let other = "(SELECT max(number) FROM assets)"

    /// Swaps a column of two rows of a table.
    private static func swap(_ column: String, of table: String, _ key: String, _ values: (String, String)) -> String {
        """
        CREATE TEMP TABLE swapped AS SELECT \(key) AS k, \(column) AS v FROM \(table);
        UPDATE \(table) SET \(column) = (SELECT v FROM swapped WHERE k = \(values.1)) WHERE \(key) = \(values.0);
        UPDATE \(table) SET \(column) = (SELECT v FROM swapped WHERE k = \(values.0)) WHERE \(key) = \(values.1);
        """
    }

    private static func chunk(_ change: String, _ condition: String) -> String {
        "UPDATE asset_chunks SET sealed_chunk = \(change) WHERE asset = \(first) AND \(condition)"
    }

    /// Changes one byte of each chunk.
    private static func flip(_ position: String) -> String {
        let byte = "substr(sealed_chunk, \(position), 1)"
        let changed = "CASE WHEN \(byte) = x'00' THEN x'01' ELSE x'00' END"
        return chunk(
            "CAST(substr(sealed_chunk, 1, \(position) - 1) || \(changed) || substr(sealed_chunk, \(position) + 1) AS BLOB)",
            "TRUE"
        )
    }

    private static let edits: [Edit] = [
        Edit(title: "a chunk deleted", sql: "DELETE FROM asset_chunks WHERE chunk = 1"),
        Edit(title: "the first chunk deleted", sql: "DELETE FROM asset_chunks WHERE chunk = 0"),
        Edit(
            title: "the last chunk deleted",
            sql: "DELETE FROM asset_chunks WHERE chunk = (SELECT max(chunk) FROM asset_chunks)"
        ),
        Edit(title: "all chunks deleted", sql: "DELETE FROM asset_chunks"),
        Edit(title: "all chunks but the first deleted", sql: "DELETE FROM asset_chunks WHERE chunk > 0"),
        Edit(
            title: "a chunk added",
            sql: """
                INSERT INTO asset_chunks SELECT container_id, asset, max(chunk) + 1, sealed_chunk FROM asset_chunks
                GROUP BY container_id, asset
                """
        ),
        Edit(
            title: "a chunk repeated",
            sql: """
                UPDATE asset_chunks SET sealed_chunk = (SELECT c.sealed_chunk FROM asset_chunks c
                WHERE c.asset = asset_chunks.asset AND c.chunk = 0) WHERE chunk = 1
                """
        ),
        Edit(
            title: "two chunks swapped",
            sql: """
                UPDATE asset_chunks SET chunk = 99 WHERE chunk = 1;
                UPDATE asset_chunks SET chunk = 1 WHERE chunk = 2; UPDATE asset_chunks SET chunk = 2 WHERE chunk = 99
                """
        ),
        Edit(
            title: "the last two chunks swapped",
            sql: """
                CREATE TEMP TABLE last AS SELECT max(chunk) AS n FROM asset_chunks;
                UPDATE asset_chunks SET chunk = 99 WHERE chunk = (SELECT n FROM last);
                UPDATE asset_chunks SET chunk = (SELECT n FROM last) WHERE chunk = (SELECT n - 1 FROM last);
                UPDATE asset_chunks SET chunk = (SELECT n - 1 FROM last) WHERE chunk = 99
                """
        ),
        Edit(
            title: "the chunks of the other asset",
            sql: """
                DELETE FROM asset_chunks WHERE asset = \(first);
                INSERT INTO asset_chunks SELECT container_id, \(first), chunk, sealed_chunk FROM asset_chunks
                WHERE asset = \(other)
                """
        ),
        Edit(
            title: "one chunk of the other asset",
            sql: chunk(
                "(SELECT c.sealed_chunk FROM asset_chunks c WHERE c.asset = \(other) AND c.chunk = 1)",
                "chunk = 1"
            )
        ),
        Edit(
            title: "all chunks numbered one higher",
            sql: "UPDATE asset_chunks SET chunk = chunk + 100; UPDATE asset_chunks SET chunk = chunk - 99"
        ),
        Edit(title: "a byte of each nonce changed", sql: flip("5")),
        Edit(title: "a byte of each ciphertext changed", sql: flip("1000")),
        Edit(title: "a byte of each code changed", sql: flip("length(sealed_chunk)")),
        Edit(title: "a chunk cut to 4,136 bytes", sql: chunk("substr(sealed_chunk, 1, 4136)", "TRUE")),
        Edit(title: "a chunk cut to 10 bytes", sql: chunk("substr(sealed_chunk, 1, 10)", "TRUE")),
        Edit(title: "empty chunks", sql: chunk("x''", "TRUE")),
        Edit(title: "longer chunks", sql: chunk("CAST(sealed_chunk || x'00' AS BLOB)", "TRUE")),
        Edit(title: "huge chunks", sql: chunk("zeroblob(20000000)", "chunk = 1")),
        Edit(title: "chunks of zeros", sql: chunk("zeroblob(length(sealed_chunk))", "TRUE")),
        Edit(title: "chunks that are numbers", sql: chunk("7", "TRUE")),
        Edit(title: "the numbers of two assets swapped", sql: swap("number", of: "assets", "id", ids)),
        Edit(title: "two assets with one number", sql: "UPDATE assets SET number = \(other)"),
        Edit(title: "an asset with a negative number", sql: "UPDATE assets SET number = -number"),
        Edit(title: "the keys of two assets swapped", sql: swap("sealed_asset", of: "assets", "id", ids)),
        Edit(title: "no key", sql: "UPDATE assets SET sealed_asset = x''"),
        Edit(
            title: "the key as it was before the upload was complete",
            sql:
                "UPDATE assets SET sealed_asset = (SELECT sealed_asset FROM older WHERE older.id = assets.id) WHERE id IN (SELECT id FROM older)"
        ),
        Edit(
            title: "the IDs of two assets swapped",
            sql: """
                UPDATE assets SET zone = 99 WHERE number = \(other);
                UPDATE assets SET id = \(ids.1) WHERE number = \(first); UPDATE assets SET id = \(ids.0), zone = 0 WHERE zone = 99
                """
        ),
        Edit(title: "assets deleted", sql: "DELETE FROM assets"),
        Edit(title: "an asset in another database", sql: "UPDATE assets SET owner = x''"),
        Edit(title: "an asset in another zone", sql: "UPDATE assets SET zone = (SELECT max(zone) FROM zones)"),
        Edit(title: "assets marked as uploads that expired", sql: "UPDATE assets SET expires_at = 1"),
        Edit(
            title: "assets marked as deleted",
            sql: "INSERT INTO removed_assets SELECT container_id, number FROM assets"
        ),
        Edit(title: "negative bytes of assets", sql: "UPDATE assets SET bytes = -9223372036854775807 - 1"),
        Edit(title: "too many bytes of assets", sql: "UPDATE assets SET bytes = 9223372036854775807"),
        Edit(title: "too many bytes of a database", sql: "UPDATE record_bytes SET bytes = 9223372036854775807"),
        Edit(title: "negative bytes of a database", sql: "UPDATE record_bytes SET bytes = -9223372036854775807 - 1"),
        Edit(
            title: "too large allowances",
            sql: "UPDATE record_bytes SET allowance = 9223372036854775807",
            isFound: false
        ),
        Edit(title: "no counts of bytes", sql: "DELETE FROM record_bytes"),
        Edit(title: "references to assets deleted", sql: "DELETE FROM record_references WHERE kind = 3"),
    ]

    private static let ids = (
        "(SELECT id FROM edited ORDER BY number LIMIT 1)", "(SELECT id FROM edited ORDER BY number DESC LIMIT 1)"
    )

    private let size: Int

    init(size: Int) { self.size = size }

    func findings() throws -> [Finding] {
        var (reads, wrong, unnoticed) = (0, 0, 0)
        var (stuck, missed): ([String], [String]) = ([], [])
        for edit in EditedAssets.edits {
            let outcome = try run(edit)
            reads += outcome.reads
            wrong += outcome.wrong
            if !outcome.isOver { stuck.append(edit.title) }
            if edit.isFound, outcome.isSound { missed.append(edit.title) }
            unnoticed += outcome.isSound && edit.isFound ? 1 : 0
        }
        return [
            Finding(
                "\(EditedAssets.edits.count) edits of the rows of assets, chunks and counts, without the key: each asset read from many "
                    + "offsets, and saved to a file",
                "\(wrong) of \(reads.grouped) reads gave wrong bytes; "
                    + EditedAssets.list(missed, "escaped the check"),
                isHeld: wrong == 0 && missed.isEmpty
            ),
            Finding(
                "after each edit: saves, uploads, expiry, deletion of the records, and erasure of the owner",
                EditedAssets.list(stuck, "stop one of them"),
                isHeld: stuck.isEmpty
            ),
            try keptByReference(),
        ]
    }

    private static func list(_ titles: [String], _ what: String) -> String {
        titles.isEmpty ? "0 \(what)" : "\(titles.count) \(what): \(titles.joined(separator: ", "))"
    }

    private struct Outcome {
        var reads = 0
        var wrong = 0
        var isSound = true
        var isOver = false
    }

    private func run(_ edit: Edit) throws -> Outcome {
        let scene = try AssetScene()
        let (store, database) = (scene.store, scene.owner.privateDatabase)
        try store.container.setQuota(.user, to: 100_000_000)
        let contents = [AssetScene.content(size, seed: 1), AssetScene.content(size, seed: 2)]
        let raw = try RawDatabase(store.path)
        let upload = try database.beginUpload()
        try upload.write(Array(contents[0].prefix(1_200_000)))
        try raw.run("CREATE TABLE older AS SELECT id, sealed_asset FROM assets")
        try upload.write(Array(contents[0].dropFirst(1_200_000)))
        let assets = [try upload.finish(), try database.upload(contents[1])]
        var records = try assets.map { try database.save(AssetScene.record([$0])) }
        try raw.run("CREATE TABLE edited AS SELECT id, number FROM assets")
        let readers = try assets.map { try database.reader(of: $0) }
        try raw.run(edit.sql)
        try raw.run("DROP TABLE older; DROP TABLE edited; DROP TABLE IF EXISTS swapped; DROP TABLE IF EXISTS last")
        var outcome = Outcome()
        let elsewhere = try store.reopened()
        let other = try elsewhere.container(AttackedStore.containerName).session(
            for: elsewhere.account(scene.account.id)
        )
        for (number, content) in contents.enumerated() {
            for (offset, count) in [(0, size + 10), (0, 1), (262_143, 2), (size - 1, 5), (600_000, 300_000), (size, 4)]
            {
                let expected = Array(content.dropFirst(offset).prefix(count))
                for reader in [readers[number], try? other.privateDatabase.reader(of: assets[number])] {
                    outcome.reads += 1
                    guard let bytes = try? reader?.read(at: offset, count: count) else { continue }
                    if bytes != expected { outcome.wrong += 1 }
                }
            }
            outcome.reads += 1
            let path = store.folder.file("copy-\(number)")
            if (try? database.save(assets[number], to: path)) != nil, try !EditedAssets.file(path, holds: content) {
                outcome.wrong += 1
            }
        }
        outcome.isSound = try elsewhere.check().isSound
        outcome.isOver = EditedAssets.goesOn(scene, &records)
        return outcome
    }

    private static func file(_ path: String, holds content: [UInt8]) throws -> Bool {
        try Array(bytes(of: path)) == content
    }

    /// Whether the service still does its work, and the owner can delete everything and leave.
    private static func goesOn(_ scene: AssetScene, _ records: inout [Record]) -> Bool {
        let (store, database) = (scene.store, scene.owner.privateDatabase)
        do {
            // An upload of somebody else expires, whatever the rows of the owner are.
            let other = try store.session(InventedPerson(2))
            let abandoned = try other.privateDatabase.upload([1, 2, 3])
            store.clock.advance(hours: 25)
            for work in store.service.components.flatMap(\.often) { try? work(store.service) }
            guard (try? other.privateDatabase.reader(of: abandoned)) == nil else { return false }
            _ = try? database.save(AssetScene.record([]))
            _ = try? database.upload([1, 2, 3])
            _ = try? scene.owner.storageUse()
            for record in records { _ = try? database.delete(record.id) }
            _ = try scene.account.erase()
            return true
        } catch { return false }
    }

    /// A reader who lost the right keeps an asset readable by an edit of the references, which are not sealed.
    private func keptByReference() throws -> Finding {
        let scene = try AssetScene()
        let store = scene.store
        try store.container.grantRole(AssetScene.role, to: scene.account)
        let reader = try store.session(InventedPerson(2)).publicDatabase
        let asset = try scene.owner.publicDatabase.upload(AssetScene.content(1_000))
        _ = try scene.owner.publicDatabase.save(AssetScene.record([asset], type: "Draft"))
        let note = try reader.save(AssetScene.record([]))
        guard (try? reader.reader(of: asset)) == nil else { throw ExperimentFailure("everybody reads the asset") }
        let raw = try RawDatabase(store.path)
        var (gained, tries) = (0, 0)
        for sql in [
            """
            INSERT INTO record_references SELECT container_id, owner, zone, target, kind,
            (SELECT max(number) FROM records WHERE container_id = 1) FROM record_references WHERE kind = 3
            """,
            "UPDATE record_references SET source = (SELECT max(number) FROM records WHERE container_id = 1) WHERE kind = 3",
            "UPDATE assets SET creator_tag = x''", "UPDATE assets SET expires_at = 0",
        ] {
            try? raw.run(sql)
            let elsewhere = try store.reopened()
            let session = try elsewhere.container(AttackedStore.containerName).session(
                for: elsewhere.account(email: EmailAddress(InventedPerson(2).address))
            )
            for database in [reader, session.publicDatabase] {
                tries += 1
                if (try? database.reader(of: asset)) != nil { gained += 1 }
            }
        }
        _ = note
        return Finding(
            "a person who may not read an asset, but knows its values, edits references so that it seems to be in the person's own record",
            "\(gained) of \(tries) tries read it",
            isHeld: gained == 0
        )
    }
}
