import Kinfolk
import KinfolkAccounts
import KinfolkCore
import KinfolkCrypto
import KinfolkModel
import KinfolkRecords
import KinfolkStorage
import TestSupport

/// A thief who guesses the values of all indexes rightly can neither find nor confirm one.
struct IndexSecrets {
    /// For how many records a thief tries one of many keys.
    private static let fewVisits = 2
    private static let zone = "Adventures"

    private let store: AttackedStore
    private let user: UserRecordID
    private let zoneNumber: Int64
    /// The numbers of the fields, which the store shows with their names.
    private let fields: [String: Int64]
    private let visits: [IndexedVisit]
    /// Keys of other containers and stores, and those from before the rotation.
    private var otherKeys: [TagKey] = []

    init(_ count: Int) throws {
        store = try AttackedStore()
        visits = try (0..<count).map(IndexedVisit.init)
        let oldKeys = try IndexSecrets.keys(of: store.container)
        try store.container.applySchema(IndexedVisit.schema(IndexedVisit.readAsCreator))
        let session = try store.session(InventedPerson(1))
        user = try session.userRecordID()
        _ = try session.privateDatabase.save(RecordZone(IndexSecrets.zone))
        for (number, visit) in visits.enumerated() {
            let id = try RecordID("visit \(number)")
            _ = try session.publicDatabase.save(visit.record(id))
            _ = try session.privateDatabase.save(visit.record(id))
            _ = try session.privateDatabase.save(visit.record(RecordID(id.name, zone: IndexSecrets.zone)))
        }
        let numbers = try store.service.read { db in
            try db.all("SELECT DISTINCT zone FROM records WHERE zone > 0") { $0.integer(0) }
        }
        guard let number = numbers.first, numbers.count == 1 else { throw ExperimentFailure("\(numbers.count) zones") }
        zoneNumber = number
        fields = try IndexSecrets.fields(of: store)
        _ = try store.service.rotateKeys()
        let other = try AttackedStore()
        otherKeys =
            try oldKeys + IndexSecrets.keys(of: store.service.createContainer("com.example.chess"))
            + IndexSecrets.keys(of: store.service.container(AttackedStore.containerName, environment: .development))
            + IndexSecrets.keys(of: other.container)
    }

    private static func fields(of store: AttackedStore) throws -> [String: Int64] {
        let rows = try store.service.read { db in
            try db.all(
                """
                SELECT f.name, f.number FROM fields f JOIN record_types t ON t.container_id = f.container_id AND t.type = f.type
                WHERE t.name = $1
                """,
                .text(IndexedVisit.type)
            ) { ($0.text(0), $0.integer(1)) }
        }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    private static func keys(of container: Container) throws -> [TagKey] {
        try container.service.read { db in try container.service.keys(ofContainer: container.number, in: db).recordTags
        }
    }

    func findings() throws -> [Finding] { [try texts(), try tags()] }

    // MARK: The files

    private func texts() throws -> Finding {
        let folder = try TemporaryFolder()
        var loot = try Loot(store.path, into: folder.path)
        let end = loot.bytes.count
        // Found only if the search works.
        Encodings.forEach(of: visits[0].note) { loot.add($0) }
        visits[0].forEachBytes { loot.add($0) }
        let guesses = Guesses(known: [], others: [], texts: visits.flatMap(\.texts))
        let search = NeedleSearch(loot.bytes) { body in
            guesses.forEach(body)
            for (label, visit) in visits.enumerated() { visit.forEachBytes { body($0, -1 - label) } }
        }
        let read = Set(search.hits.filter { $0.offset < end }.map(\.label))
        let planted = Set(search.hits.filter { $0.offset >= end }.map(\.label))
        guard planted.contains(-1), planted.contains(where: { $0 >= 0 }) else {
            throw ExperimentFailure("a planted value was not found")
        }
        return Finding(
            "\((3 * visits.count).grouped) records with all kinds of indexes: their values, words and locations, all of them guessed, in "
                + "\(search.needleCount.grouped) hashes and encodings",
            "\(read.count) read",
            isHeld: read.isEmpty
        )
    }

    // MARK: A dictionary

    private func tags() throws -> Finding {
        let stored = try StolenIndexes(StolenFile(store.path)).scopes.mapValues { Set($0.keys) }
        let all = stored.values.reduce(into: Set<Tag>()) { $0.formUnion($1) }
        var tried = 0
        var found = Set<Tag>()
        for (key, count) in try otherKeys.map({ ($0, visits.count) })
            + StoredKeys.all(store.service).map({ ($0, IndexSecrets.fewVisits) })
        {
            for guesses in try tags(under: key, of: visits.prefix(count)).values {
                tried += guesses.count
                found.formUnion(all.intersection(guesses))
            }
        }
        for bytes in unkeyed {
            for digest in Digest.allCases {
                tried += 1
                let hash = digest.hash(bytes).prefix(Tag.length)
                if let tag = hash.withUnsafeBytes(Tag.init), all.contains(tag) { found.insert(tag) }
            }
        }
        let right = try tags(under: IndexSecrets.keys(of: store.container)[0], of: visits[...])
        let confirmed = try StolenIndexes.tables.map { table in
            let count = stored[table, default: []].intersection(right[table, default: []]).count
            guard count >= 8 * visits.count else {
                throw ExperimentFailure("with the key, \(count) tags of \(table) were confirmed")
            }
            return count
        }
        return Finding(
            "these values, words and cells as tags made without the key: by \(otherKeys.count) keys of other containers and stores and of "
                + "the time before a rotation, by each 32 bytes of what the store holds as a key, and without a key: "
                + "\((Double(tried) / 1_000_000).rounded(to: 2)) million",
            "\(found.count) confirmed (with the key \(confirmed[0].grouped) values, \(confirmed[1].grouped) cells and "
                + "\(confirmed[2].grouped) words)",
            isHeld: found.isEmpty
        )
    }

    /// The tags of records in all scopes and fields, by the tables in which they are.
    private func tags(under key: TagKey, of visits: ArraySlice<IndexedVisit>) throws -> [String: Set<Tag>] {
        let scopes: [(tags: RecordTags, zone: Int64, lanes: Range<UInt8>)] = [
            (RecordTags(key, owner: []), 0, 0..<8),
            (RecordTags(key, owner: user.value.bytes, isOfCreator: true), IndexScope.ofCreator, 0..<1),
            (RecordTags(key, owner: user.value.bytes), 0, 0..<1),
            (RecordTags(key, owner: user.value.bytes), zoneNumber, 0..<1),
        ]
        var found: [String: Set<Tag>] = [:]
        for (tags, zone, lanes) in scopes {
            for prefix in IndexedVisit.fields {
                for visit in visits {
                    for (name, value) in try visit.values(
                        inZone: zone == zoneNumber ? IndexSecrets.zone : RecordID.defaultZone
                    ) {
                        guard let field = fields["\(prefix)_\(name)"] else { continue }
                        for value in IndexValue.all(of: value) {
                            found["index_entries", default: []].insert(tags.value(value, ofField: field))
                        }
                    }
                    guard let place = fields["\(prefix)_place"], let note = fields["\(prefix)_note"] else { continue }
                    for cell in visit.cells {
                        found["cell_entries", default: []].insert(tags.cell(cell, ofField: place))
                    }
                    for (word, lane) in visit.words.flatMap({ word in lanes.map { (word, $0) } }) {
                        let address = PostingAddress(rootOf: word, inField: note, lane: lane)
                        found["postings", default: []].insert(tags.posting(address, zone: zone))
                    }
                }
            }
        }
        return found
    }

    /// What an index without a key would hash: values, words and cells, also after the user record ID.
    private var unkeyed: [[UInt8]] {
        var found: [[UInt8]] = []
        for visit in visits {
            found += visit.values.map(\.bytes)
            found += visit.words.map(\.bytes)
            found += visit.cells.map(bytes)
            found += visit.texts.map { Array($0.utf8) }
        }
        let owner: [UInt8] = user.value.bytes
        return found + found.map { owner + $0 }
    }

    private func bytes(of cell: Cell) -> [UInt8] {
        var bytes: [UInt8] = []
        for number in [cell.row, cell.column] { withUnsafeBytes(of: UInt32(number).littleEndian) { bytes += $0 } }
        return bytes + [cell.level.number]
    }
}
