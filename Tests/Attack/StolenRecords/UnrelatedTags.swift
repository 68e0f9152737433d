import Kinfolk
import KinfolkCrypto

/// Records with the same name and the same value have unrelated tags in two databases, types, fields, environments and containers, and
/// after a rotation.
struct UnrelatedTags {
    func findings() throws -> [Finding] {
        let store = try AttackedStore()
        let chess = try store.service.createContainer("com.example.chess")
        let development = try store.service.container(AttackedStore.containerName, environment: .development)
        let accounts = try (1...3).map { try store.account(InventedPerson($0)) }
        let id = try RecordID("settings")
        for container in [store.container, chess, development] {
            for type in ["Note", "Memo"] {
                for field in ["first", "second"] { try container.addField(field, type: .string, to: type) }
            }
            for (number, account) in accounts.enumerated() {
                let session = try container.session(for: account)
                let databases =
                    number == 0 ? [session.publicDatabase, session.privateDatabase] : [session.privateDatabase]
                for database in databases {
                    for (type, id) in [("Note", id), ("Memo", try RecordID("other"))] {
                        var record = try Record(type: type, id: id)
                        for field in ["first", "second"] { try record.set(field, to: .string("the same value")) }
                        _ = try database.save(record)
                    }
                }
            }
        }
        // Two records that share a value in one field of one database: the only equality that the store shows.
        var twin = try Record(type: "Note", id: RecordID("twin"))
        try twin.set("first", to: .string("The Same Value"))
        let session = try store.container.session(for: accounts[0])
        twin = try session.privateDatabase.save(twin)

        let before = try StolenTables(store.service)
        _ = try store.service.rotateKeys()
        let after = try StolenTables(store.service)
        let shared = repeated(before)
        guard shared.count > 0 else { throw ExperimentFailure("a value that two records share is not found") }
        let kept = Set(tags(before)).intersection(tags(after)).count
        let linked = before.rows.count { row in after.rows.contains { $0.number == row.number } }
        return [
            Finding(
                "the same name and value in 12 databases, 2 types and 2 fields each (\(before.rows.count) records)",
                "\(shared.count - 1) values linked, apart from one that 2 records share in one field of one database",
                isHeld: shared.count == 1 && repeated(after).count == 1
            ),
            Finding(
                "their tags before and after a rotation of the keys",
                "\(kept) of \(tags(before).count) are the same",
                isHeld: kept == 0
            ),
            Finding(
                "not promised: a thief with a copy from before and one from after",
                "\(linked) of \(before.rows.count) records are linked by their numbers, and so are their tags",
                isHeld: true
            ),
        ]
    }

    /// The tags of names and values, without those of creators, which all records of a creator in a public database share.
    private func tags(_ tables: StolenTables) -> [Tag] {
        let creators = Dictionary(grouping: tables.rows.filter(\.owner.isEmpty), by: \.container).values.map { rows in
            rows.reduce(rows[0].entries) { $0.intersection($1.entries) }
        }
        let all = creators.reduce(into: Set<Tag>()) { $0.formUnion($1) }
        return tables.rows.flatMap { row in [row.name] + row.entries.subtracting(all) }
    }

    private func repeated(_ tables: StolenTables) -> [Tag] {
        Dictionary(grouping: tags(tables)) { $0 }.filter { $0.value.count > 1 }.map(\.key)
    }
}
