import Kinfolk
import KinfolkModel
import ServiceSupport
import TestSupport

/// Takes random steps with the product and with the model, and compares the answers.
final class LayerModelRun {
    struct Different: Error, CustomStringConvertible {
        let description: String
    }

    /// A device of a user in one service, with the object that remembers what was reported.
    private struct Seat {
        var settings: KeyValueStore
        let documents: Documents
        var seen: Int?
    }

    private struct SeatKey: Hashable {
        let user: Int
        let device: String
        let service: Int
    }

    private static let users = 2
    private static let devices = ["phone", "tablet", "laptop"]
    private static let paths = ["a", "a/b", "a/b/c", "d/e", "d/f.txt", "g.txt", "é", "e\u{301}"]

    private let store: TestService
    private var random: SeededGenerator
    private var services: [Service]
    private var accounts: [Account]
    private var models: [LayerModel]
    private var seats: [SeatKey: Seat] = [:]
    /// Documents as they were at some time, by users.
    private var snapshots: [[Document]]
    private(set) var successes = 0
    /// The last step.
    private(set) var last = ""

    init(seed: UInt64) throws {
        let store = try TestService()
        self.store = store
        random = SeededGenerator(seed: seed)
        services = [store.service, try store.reopened()]
        accounts = try (0..<LayerModelRun.users).map { try store.account("User \($0)") }
        models = (0..<LayerModelRun.users).map { _ in LayerModel() }
        snapshots = models.map { _ in [] }
    }

    private func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    private func seat(_ key: SeatKey) throws -> Seat {
        if let known = seats[key] { return known }
        let container = try services[key.service].container(store.container.name)
        let session = try container.session(
            for: services[key.service].account(accounts[key.user].id),
            device: key.device
        )
        let seat = Seat(settings: session.keyValueStore(), documents: session.documents)
        seats[key] = seat
        return seat
    }

    func step() throws {
        let user = below(LayerModelRun.users)
        let key = SeatKey(user: user, device: LayerModelRun.devices[below(3)], service: below(2))
        let choice = below(100)
        last = "\(choice) of user \(user), \(key.device), service \(key.service)"
        store.clock.advance(seconds: 1)
        switch choice {
        case ..<25: try change(key)
        case ..<35: try synchronize(key)
        case ..<40: try compareKeys(key)
        case ..<55: try create(key)
        case ..<72: try save(key)
        case ..<77: try resolve(key)
        case ..<80: try restore(key)
        case ..<85: try move(key)
        case ..<90: try delete(key)
        case ..<94: try search(key)
        case 94: try exclude(key)
        case 95: _ = try services[key.service].rotateKeys()
        case 96: try reopen(key.service)
        case 97: try suspend(key)
        case 98: try erase(user)
        default: try check()
        }
    }

    /// Whether a call succeeded. Throws if it answered otherwise than expected.
    private func succeeds(_ expected: KinfolkError.Code?, _ call: () throws -> Void) throws -> Bool {
        do { try call() } catch let error as KinfolkError {
            guard error.code == expected else {
                throw Different(description: "\(error), expected \(expected.map { "\($0)" } ?? "success")")
            }
            return false
        }
        guard expected == nil else {
            throw Different(description: "success, expected \(expected.map { "\($0)" } ?? "")")
        }
        successes += 1
        return true
    }

    private func require(_ condition: Bool, _ what: @autoclosure () -> String) throws {
        guard condition else { throw Different(description: what()) }
    }

    // MARK: Keys

    private func change(_ key: SeatKey) throws {
        let name = "key \(below(6))"
        let seat = try seat(key)
        let value: PropertyListValue? =
            switch below(5) {
            case 0: nil
            case 1: .int64(Int64(below(1_000)))
            case 2: ["list": [.string("\(below(9))"), true]]
            default: .bytes([UInt8](repeating: 1, count: below(3_000)))
            }
        _ = try succeeds(nil) {
            if let value {
                try seat.settings.set(value, forKey: name)
            } else {
                try seat.settings.removeValue(forKey: name)
            }
        }
        models[key.user].set(name, to: value, by: key.device)
    }

    private func synchronize(_ key: SeatKey) throws {
        var seat = try seat(key)
        if below(5) == 0 { seat = Seat(settings: seat.documents.session.keyValueStore(), documents: seat.documents) }
        let expected = models[key.user].synchronize(key.device, seen: seat.seen)
        var found: [KeyValueChange] = []
        _ = try succeeds(nil) { found = try seat.settings.synchronize() }
        let other = expected.map { [KeyValueChange($0.reason, $0.keys)] } ?? []
        try require(
            found == other,
            "\(found.map { "\($0.reason) \($0.keys)" }), expected \(other.map { "\($0.reason) \($0.keys)" })"
        )
        seat.seen = models[key.user].lastChange
        seats[key] = seat
    }

    private func compareKeys(_ key: SeatKey) throws {
        let entries = try seat(key).settings.entries()
        let expected = models[key.user].keys.compactMapValues(\.value)
        try require(
            entries.map(\.key) == expected.keys.sorted() && entries.allSatisfy { expected[$0.key] == $0.value },
            "other keys: \(entries.map(\.key)), expected \(expected.keys.sorted())"
        )
        successes += 1
    }

    // MARK: Documents

    private func contents() -> [UInt8] {
        let byte = UInt8(truncatingIfNeeded: below(256))
        return [UInt8](repeating: byte, count: below(4) == 0 ? 260_000 + below(200_000) : below(2_000))
    }

    private func note(_ document: Document, _ user: Int) {
        snapshots[user] = snapshots[user].suffix(20) + [document]
    }

    /// A document as it was at some time; nil if there is none.
    private func snapshot(_ user: Int) -> Document? {
        snapshots[user].isEmpty ? nil : snapshots[user][below(snapshots[user].count)]
    }

    private func compare(_ found: Document, _ key: SeatKey) throws {
        guard let expected = models[key.user].documents[found.id] else {
            throw Different(description: "an unknown document")
        }
        func same(_ versions: [DocumentVersion], _ others: [LayerModel.Version]) -> Bool {
            versions.map(\.id) == others.map(\.id) && versions.map(\.device) == others.map(\.device)
                && versions.map(\.size) == others.map(\.contents.count)
        }
        try require(
            found.path.utf8.elementsEqual(expected.path.utf8) && same([found.current], [expected.current])
                && same(found.conflicts, expected.conflicts) && same(found.olderVersions, expected.older)
                && found.isExcludedFromBackup == expected.isExcluded,
            "a document differs"
        )
        let all = [expected.current] + expected.conflicts + expected.older
        let index = below(all.count)
        let bytes = try seat(key).documents.contents(of: found, found.versions[index])
        try require(bytes == all[index].contents, "the contents of a version differ")
    }

    private func create(_ key: SeatKey) throws {
        let path = LayerModelRun.paths[below(LayerModelRun.paths.count)]
        let (seat, contents) = (try seat(key), contents())
        // Paths are compared by bytes, and Swift's texts are not.
        let isFree = models[key.user].documents.values.allSatisfy { document in
            let (own, other) = (Array(path.utf8), Array(document.path.utf8))
            return own != other && !own.starts(with: other + [0x2f]) && !other.starts(with: own + [0x2f])
        }
        var made: Document?
        guard try succeeds(isFree ? nil : .conflict, { made = try seat.documents.create(path, contents: contents) }),
            let made
        else { return }
        let version = LayerModel.Version(id: made.current.id, contents: contents, device: key.device)
        models[key.user].documents[made.id] = LayerModel.Document(path: path, current: version)
        note(made, key.user)
        try compare(made, key)
    }

    private func save(_ key: SeatKey) throws {
        guard let base = snapshot(key.user) else { return }
        let (seat, contents) = (try seat(key), contents())
        let known = models[key.user].documents[base.id]
        let isCurrent = known.map { $0.current.id == base.base } ?? false
        let place = known?.conflicts.firstIndex { $0.id == base.base }
        let isFull = !isCurrent && place == nil && known?.conflicts.count == Documents.maximumConflicts
        var saved: Document?
        let expected: KinfolkError.Code? = known == nil ? .unknownItem : isFull ? .limitExceeded : nil
        guard try succeeds(expected, { saved = try seat.documents.save(base, contents: contents) }), let saved else {
            return
        }
        let version = LayerModel.Version(id: saved.base, contents: contents, device: key.device)
        change(base.id, key.user) { document in
            if isCurrent {
                LayerModelRun.replace(&document, by: version)
            } else if let place {
                document.older.insert(document.conflicts[place], at: 0)
                document.conflicts[place] = version
            } else {
                document.conflicts.append(version)
            }
        }
        note(saved, key.user)
        try compare(saved, key)
    }

    /// - Parameter kept: How many older versions are kept, if that is more than usual.
    private func change(_ id: String, _ user: Int, keeping kept: Int = 0, _ body: (inout LayerModel.Document) -> Void) {
        guard var document = models[user].documents[id] else { return }
        body(&document)
        document.older = Array(document.older.prefix(max(kept, Documents.keptVersions)))
        models[user].documents[id] = document
    }

    private static func replace(_ document: inout LayerModel.Document, by version: LayerModel.Version) {
        document.older.insert(document.current, at: 0)
        document.current = version
    }

    private func resolve(_ key: SeatKey) throws {
        guard let base = snapshot(key.user) else { return }
        let (seat, contents) = (try seat(key), contents())
        let known = models[key.user].documents[base.id]
        let choice = below(base.conflicts.count + 2)
        let expected: KinfolkError.Code? =
            known == nil ? .unknownItem : known?.current.id != base.current.id ? .serverRecordChanged : nil
        // One of the conflicts may have been resolved already, and be an older version or gone.
        let chosen = choice == 0 ? nil : choice == 1 ? base.current : base.conflicts[choice - 2]
        let remaining =
            known.map { document in
                document.conflicts.map(\.id) + document.older.map(\.id) + [document.current.id]
            } ?? []
        let isGone = chosen.map { !remaining.contains($0.id) } ?? false
        var resolved: Document?
        let isDone = try succeeds(expected ?? (isGone ? .unknownItem : nil)) {
            resolved =
                try chosen.map { try seat.documents.resolve(base, keeping: $0) }
                ?? seat.documents.resolve(base, contents: contents)
        }
        guard isDone, let resolved else { return }
        let shown = Set(base.conflicts.map(\.id))
        let count = known?.conflicts.count { shown.contains($0.id) } ?? 0
        change(base.id, key.user, keeping: count + 1) { document in
            let gone = document.conflicts.filter { shown.contains($0.id) }
            document.conflicts.removeAll { shown.contains($0.id) }
            document.older.insert(contentsOf: gone.reversed(), at: 0)
            if let chosen {
                guard chosen.id != document.current.id,
                    let index = document.older.firstIndex(where: { $0.id == chosen.id })
                else { return }
                let old = document.older.remove(at: index)
                let new = LayerModel.Version(id: resolved.current.id, contents: old.contents, device: key.device)
                LayerModelRun.replace(&document, by: new)
            } else {
                let new = LayerModel.Version(id: resolved.current.id, contents: contents, device: key.device)
                LayerModelRun.replace(&document, by: new)
            }
        }
        note(resolved, key.user)
        try compare(resolved, key)
    }

    private func restore(_ key: SeatKey) throws {
        guard let base = snapshot(key.user), !base.olderVersions.isEmpty else { return }
        let version = base.olderVersions[below(base.olderVersions.count)]
        let seat = try seat(key)
        let known = models[key.user].documents[base.id]
        let expected: KinfolkError.Code? =
            known == nil
            ? .unknownItem
            : known?.current.id != base.current.id
                ? .serverRecordChanged : known?.older.contains { $0.id == version.id } == false ? .unknownItem : nil
        var restored: Document?
        guard try succeeds(expected, { restored = try seat.documents.restore(base, version) }), let restored else {
            return
        }
        change(base.id, key.user, keeping: .max) { document in
            guard let index = document.older.firstIndex(where: { $0.id == version.id }) else { return }
            let old = document.older.remove(at: index)
            let new = LayerModel.Version(id: restored.current.id, contents: old.contents, device: key.device)
            LayerModelRun.replace(&document, by: new)
        }
        note(restored, key.user)
        try compare(restored, key)
    }

    private func move(_ key: SeatKey) throws {
        guard let base = snapshot(key.user) else { return }
        let path = LayerModelRun.paths[below(LayerModelRun.paths.count)]
        let known = models[key.user].documents[base.id]
        let isFree = models[key.user].documents.filter { $0.key != base.id }.values.allSatisfy { document in
            let (own, other) = (Array(path.utf8), Array(document.path.utf8))
            return own != other && !own.starts(with: other + [0x2f]) && !other.starts(with: own + [0x2f])
        }
        let seat = try seat(key)
        var moved: Document?
        let expected: KinfolkError.Code? = known == nil ? .unknownItem : isFree ? nil : .conflict
        guard try succeeds(expected, { moved = try seat.documents.move(base, to: path) }), let moved else { return }
        change(base.id, key.user, keeping: .max) { $0.path = path }
        note(moved, key.user)
        try compare(moved, key)
    }

    private func delete(_ key: SeatKey) throws {
        guard let base = snapshot(key.user) else { return }
        let known = models[key.user].documents[base.id]
        let shown = Set(base.conflicts.map(\.id))
        let isSeen = known.map { $0.current.id == base.current.id && $0.conflicts.allSatisfy { shown.contains($0.id) } }
        let seat = try seat(key)
        guard
            try succeeds(
                known == nil ? .unknownItem : isSeen == true ? nil : .serverRecordChanged,
                { try seat.documents.delete(base) }
            )
        else { return }
        models[key.user].documents[base.id] = nil
    }

    private func exclude(_ key: SeatKey) throws {
        guard let base = snapshot(key.user) else { return }
        let isExcluded = below(2) == 0
        let seat = try seat(key)
        let isKnown = models[key.user].documents[base.id] != nil
        var changed: Document?
        guard
            try succeeds(
                isKnown ? nil : .unknownItem,
                { changed = try seat.documents.setExcludedFromBackup(isExcluded, base) }
            ), let changed
        else { return }
        change(base.id, key.user, keeping: .max) { $0.isExcluded = isExcluded }
        try compare(changed, key)
    }

    private func search(_ key: SeatKey) throws {
        var search = DocumentSearch()
        if below(2) == 0 { search.folder = ["a", "a/b", "d"][below(3)] }
        if below(3) == 0 { search.name = ["*.txt", "?", "b*"][below(3)] }
        let found = try seat(key).documents.search(search).map(\.path)
        let expected = models[key.user].documents.values.map(\.path).filter { path in
            let name = path.split(separator: "/").last.map(String.init) ?? ""
            let isInFolder = search.folder.map { path.hasPrefix($0 + "/") } ?? true
            let isNamed =
                switch search.name {
                case "*.txt"?: name.hasSuffix(".txt")
                case "?"?: name.unicodeScalars.count == 1
                case "b*"?: name.hasPrefix("b")
                default: true
                }
            return isInFolder && isNamed
        }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        try require(
            found.map { Array($0.utf8) } == expected.map { Array($0.utf8) },
            "found \(found), expected \(expected)"
        )
        successes += 1
    }

    // MARK: Everything else

    private func reopen(_ service: Int) throws {
        services[service] = try store.reopened()
        seats = seats.filter { $0.key.service != service }
    }

    private func suspend(_ key: SeatKey) throws {
        let seat = try seat(key)
        try accounts[key.user].suspend()
        _ = try succeeds(.notAuthenticated) { try seat.settings.set(1, forKey: "key 1") }
        _ = try succeeds(.notAuthenticated) { _ = try seat.documents.create("x", contents: [1]) }
        try accounts[key.user].resume()
    }

    private func erase(_ user: Int) throws {
        _ = try accounts[user].erase()
        accounts[user] = try store.account("User \(user)")
        models[user] = LayerModel()
        snapshots[user] = []
        seats = seats.filter { $0.key.user != user }
    }

    /// Compares all keys and documents, and checks the store.
    func check() throws {
        for user in 0..<LayerModelRun.users {
            let key = SeatKey(user: user, device: LayerModelRun.devices[0], service: 0)
            try compareKeys(key)
            let found = try seat(key).documents.search()
            try require(found.count == models[user].documents.count, "\(found.count) documents")
            for document in found { try compare(document, key) }
        }
        try require(store.service.check().isSound, "the check has found something")
    }
}
