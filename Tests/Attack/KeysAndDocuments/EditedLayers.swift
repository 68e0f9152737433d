import Kinfolk
import TestSupport

/// Edits of the rows of keys and documents, without the key of the store.
struct EditedLayers {
    private struct Edit {
        let title: String
        let sql: String
        /// Whether the check of the store finds it. It cannot tell rows that are missing or older.
        var isFound = true
    }

    private static func swap(_ column: String, type: Int, _ key: String = "number") -> String {
        let ends = (
            "(SELECT min(number) FROM records WHERE type = \(type))",
            "(SELECT max(number) FROM records WHERE type = \(type))"
        )
        return """
            CREATE TEMP TABLE swapped AS SELECT number, \(column) AS v FROM records WHERE number IN (\(ends.0), \(ends.1));
            UPDATE records SET \(column) = x'00' WHERE number = \(ends.0);
            UPDATE records SET \(column) = (SELECT v FROM swapped WHERE number = \(ends.0)) WHERE number = \(ends.1);
            UPDATE records SET \(column) = (SELECT v FROM swapped WHERE number = \(ends.1)) WHERE number = \(ends.0);
            """
    }

    private static let other =
        "(SELECT owner FROM records WHERE owner <> (SELECT owner FROM records WHERE type = -1 LIMIT 1) LIMIT 1)"

    private static let edits: [Edit] =
        [-1, -2].flatMap { type -> [Edit] in
            let what = type == -1 ? "keys" : "documents"
            return [
                Edit(title: "the contents of two \(what) swapped", sql: swap("sealed_fields", type: type)),
                Edit(title: "the names of two \(what) swapped", sql: swap("name_tag", type: type)),
                Edit(title: "a byte of \(what) changed", sql: flipped(type)),
                Edit(
                    title: "\(what) cut",
                    sql: "UPDATE records SET sealed_fields = substr(sealed_fields, 1, 60) WHERE type = \(type)"
                ),
                Edit(title: "empty \(what)", sql: "UPDATE records SET sealed_fields = x'' WHERE type = \(type)"),
                Edit(
                    title: "\(what) of another type",
                    sql: "UPDATE records SET type = \(-3 - type) WHERE type = \(type)"
                ),
                Edit(title: "\(what) of a type that is not", sql: "UPDATE records SET type = -9 WHERE type = \(type)"),
                Edit(
                    title: "\(what) as those of another user",
                    sql: "UPDATE records SET owner = \(other) WHERE type = \(type)"
                ),
                Edit(
                    title: "\(what) in the other zone",
                    sql: "UPDATE records SET zone = 3 - zone WHERE type = \(type)"
                ),
                Edit(title: "\(what) in no zone", sql: "UPDATE records SET zone = 99 WHERE type = \(type)"),
                Edit(title: "\(what) in the default zone", sql: "UPDATE records SET zone = 0 WHERE type = \(type)"),
                Edit(
                    title: "times of \(what) changed",
                    sql: "UPDATE records SET modified_at = -1 WHERE type = \(type)"
                ),
                Edit(title: "\(what) deleted", sql: "DELETE FROM records WHERE type = \(type)", isFound: false),
            ]
        } + [
            Edit(
                title: "the files of two documents swapped",
                sql: """
                    CREATE TEMP TABLE files AS SELECT asset, sealed_chunk FROM asset_chunks;
                    UPDATE asset_chunks SET sealed_chunk = (SELECT f.sealed_chunk FROM files f WHERE f.asset <> asset_chunks.asset LIMIT 1)
                    """
            ),
            Edit(title: "the files deleted", sql: "DELETE FROM asset_chunks"),
            Edit(title: "no zones", sql: "DELETE FROM zones"),
        ]

    private static func flipped(_ type: Int) -> String {
        """
        UPDATE records SET sealed_fields = CAST(substr(sealed_fields, 1, 50)
        || CASE WHEN substr(sealed_fields, 51, 1) = x'00' THEN x'01' ELSE x'00' END || substr(sealed_fields, 52) AS BLOB)
        WHERE type = \(type)
        """
    }

    func findings() throws -> [Finding] {
        var (reads, wrong, moved) = (0, 0, 0)
        var (missed, stuck): ([String], [String]) = ([], [])
        for edit in EditedLayers.edits {
            let scene = try LayerScene(count: 2)
            let other = try scene.store.session(InventedPerson(2))
            try other.keyValueStore().set(1, forKey: "own")
            _ = try other.documents.create("own", contents: [1])
            do { try RawDatabase(scene.store.path).run(edit.sql) } catch {
                throw ExperimentFailure("\(edit.title): \(error)")
            }
            let outcome = try read(scene, scene.elsewhere())
            reads += outcome.reads
            wrong += outcome.wrong
            let keys = (try? other.keyValueStore().entries().map(\.key)) ?? []
            let paths = (try? other.documents.search().map(\.path)) ?? []
            moved += (keys + paths).count { $0 != "own" }
            if edit.isFound, try scene.store.reopened().check().isSound { missed.append(edit.title) }
            if (try? scene.account.erase()) == nil { stuck.append(edit.title) }
        }
        return [
            Finding(
                "\(EditedLayers.edits.count) edits of the rows of keys and documents, without the key: everything is read by a session that "
                    + "was open, and in another process",
                "\(wrong) of \(reads.grouped) reads gave another value, path or contents, \(moved) are another user's; "
                    + EditedLayers.list(missed, "escaped the check"),
                isHeld: wrong == 0 && moved == 0 && missed.isEmpty
            ),
            Finding("after each edit: erasure of the user", EditedLayers.list(stuck, "stop it"), isHeld: stuck.isEmpty),
        ]
    }

    private static func list(_ titles: [String], _ what: String) -> String {
        titles.isEmpty ? "0 \(what)" : "\(titles.count) \(what): \(titles.joined(separator: ", "))"
    }

    private func read(_ scene: LayerScene, _ elsewhere: Session) throws -> (reads: Int, wrong: Int) {
        var (reads, wrong) = (0, 0)
        for session in [scene.phone, elsewhere] {
            let (keys, documents) = (session.keyValueStore(), session.documents)
            for (key, value) in scene.values {
                reads += 1
                if let found = try? keys.value(forKey: key), found != value { wrong += 1 }
            }
            for (key, value) in (try? keys.entries()) ?? [] where scene.values[key] != value { wrong += 1 }
            for (path, contents) in scene.contents {
                reads += 1
                guard let document = try? documents.document(at: path) else { continue }
                if document.path != path { wrong += 1 }
                if let found = try? documents.contents(of: document), found != contents { wrong += 1 }
            }
            for document in (try? documents.search()) ?? [] where scene.contents[document.path] == nil { wrong += 1 }
        }
        return (reads, wrong)
    }
}
