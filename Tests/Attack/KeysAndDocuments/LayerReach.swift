import Kinfolk
import KinfolkModel

/// Sessions of others read and change keys and documents, and all sessions name the zones and record types in which they are stored.
struct LayerReach {
    func findings() throws -> [Finding] {
        let scene = try LayerScene(count: 5)
        let sessions = try others(scene)
        let all = try scene.phone.documents.search()
        let token = try scene.phone.documents.changes().token
        var (tries, read) = (0, 0)
        func attempt(_ call: () throws -> Bool) {
            tries += 1
            if (try? call()) == true { read += 1 }
        }
        for session in sessions {
            let (keys, documents) = (session.keyValueStore(), session.documents)
            attempt { try !keys.entries().isEmpty }
            attempt { try !keys.synchronize().isEmpty }
            attempt { try !documents.search().isEmpty }
            attempt { try !documents.changes().changes.isEmpty }
            attempt { try !documents.changes(since: token).changes.isEmpty }
            for key in scene.values.keys {
                attempt { try keys.value(forKey: key) != nil }
                try? keys.removeValue(forKey: key)
            }
            for document in all {
                attempt {
                    _ = try documents.document(id: document.id); return true
                }
                attempt {
                    _ = try documents.document(at: document.path); return true
                }
                attempt {
                    _ = try documents.contents(of: document); return true
                }
                attempt {
                    _ = try documents.save(document, contents: [1]); return true
                }
                attempt {
                    _ = try documents.move(document, to: "other"); return true
                }
                attempt {
                    _ = try documents.setExcludedFromBackup(true, document); return true
                }
                attempt {
                    _ = try documents.restore(document, document.current); return true
                }
                attempt {
                    try documents.delete(document); return true
                }
            }
        }
        let named = try LayerNames(scene).successes()
        guard try scene.keys.entries().count == scene.values.count, try scene.phone.documents.search() == all else {
            return [Finding("others change keys and documents", "some were changed", isHeld: false)]
        }
        return [
            Finding(
                "\(sessions.count) sessions of others (another user, also in another process; another container and environment; "
                    + "anonymous; suspended) read and change keys and documents, all names, IDs and tokens known",
                "\(read) of \(tries.grouped) calls succeeded, and nothing was changed",
                isHeld: read == 0
            ),
            Finding(
                "the user names the reserved zones and record types in \(named.tries) calls for records, zones, queries, references, "
                    + "subscriptions and schemas, and lists zones and types",
                named.titles.isEmpty ? "0 succeeded" : "\(named.titles.count): \(named.titles.joined(separator: ", "))",
                isHeld: named.titles.isEmpty
            ),
        ]
    }

    private func others(_ scene: LayerScene) throws -> [Session] {
        let store = scene.store
        let other = try store.account(InventedPerson(2))
        let suspended = try store.account(InventedPerson(3))
        let late = try store.container.session(for: suspended)
        try suspended.suspend()
        let chess = try store.service.createContainer("com.example.chess")
        let development = try store.service.container(AttackedStore.containerName, environment: .development)
        let elsewhere = try store.reopened()
        return try [
            store.container.session(for: other),
            elsewhere.container(AttackedStore.containerName).session(for: elsewhere.account(other.id)),
            chess.session(for: scene.account),
            development.session(for: scene.account),
            store.container.anonymousSession(),
            late,
        ]
    }
}
