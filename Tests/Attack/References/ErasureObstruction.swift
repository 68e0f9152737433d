import Kinfolk
import KinfolkStorage

/// Others, who may write all records, refer to a person's records so that their deletion is refused. The person's erasure must
/// nevertheless delete everything at once.
struct ErasureObstruction {
    static let grants = "GRANT READ TO \"_world\", GRANT CREATE, WRITE TO \"_icloud\""

    /// The limit of the records that a deletion may delete. An erasure has none.
    private static let limitOfDeletions = 10_000

    /// How many records refer to one, and how often.
    private let width: Int
    private let levels: Int

    init(width: Int, levels: Int) { (self.width, self.levels) = (width, levels) }

    func findings() throws -> [Finding] {
        let scene = try ReferenceScene(grants: ErasureObstruction.grants)
        let owner = scene.owner
        let user = try owner.userRecordID()
        let others = try (2...3).map { try scene.store.session(InventedPerson($0)).publicDatabase }
        let roots = try (0..<3).map { number in
            try owner.publicDatabase.save(ReferenceScene.record(RecordID("root \(number)"))).id
        }
        try owner.privateDatabase.save(RecordZone("Notes"))
        _ = try owner.privateDatabase.save(ReferenceScene.record(RecordID("own", zone: "Notes")))

        let tree = try tree(on: roots[0], others[0])
        let chain = try chain(on: roots[1], others[0])
        // Others need the roots, and what is deleted with them; the person's own records need each other.
        let needed = roots + [tree[0], tree[tree.count - 1], chain[chain.count - 1]]
        let needs = try needed.enumerated().map { number, id in
            try others[1].save(ReferenceScene.record(RecordID("needs \(number)"), .validate, id))
        }
        // Cycles: the roots are deleted with the last records of the tree and of the chain, and with each other.
        for (root, end) in zip(roots, [tree[tree.count - 1], chain[chain.count - 1], roots[0]]) {
            var changed = try others[0].fetch(root)
            try changed.set("link", to: .reference(Reference(end, action: .deleteSelf)))
            _ = try others[0].save(changed)
        }
        var refused = 0
        for root in roots where (try? owner.publicDatabase.delete(root)) == nil { refused += 1 }
        guard refused == roots.count else { throw ExperimentFailure("a deletion by the person is not refused") }

        let erasure = try scene.ownerAccount.erase()
        let left = try rows(of: user, scene.store)
        let present = (roots + tree + chain).count { id in (try? others[0].fetch(id)) != nil }
        // The records that needed others stay, and can still be saved.
        let kept = try needs.count { record in
            var record = try others[1].fetch(record.id)
            try record.set("title", to: .string("changed"))
            return (try? others[1].save(record)) != nil
        }
        let findings = try scene.store.service.check().findings.count
        let sources = tree.count + chain.count
        return [
            Finding(
                "\(sources.grouped) records of others that are deleted with those of a person, \(width) for each, in a chain of "
                    + "\(chain.count.grouped) and in cycles, and \(needs.count) that need them; then the person is erased",
                "\(left) rows of the person and \(present) of the others' are left, \(kept) of \(needs.count) that needed them can be "
                    + "saved, \(findings) findings of the check",
                isHeld: left == 0 && present == 0 && kept == needs.count && findings == 0
                    && sources > ErasureObstruction.limitOfDeletions && erasure.records >= roots.count
            )
        ]
    }

    /// Records of which each level refers to one record of the level before.
    private func tree(on root: RecordID, _ database: Database) throws -> [RecordID] {
        var target = root
        var all: [RecordID] = []
        for level in 0..<levels {
            let records = try (0..<width).map { number in
                try ReferenceScene.record(RecordID("tree \(level) \(number)"), .deleteSelf, target)
            }
            try require(ReferenceScene.save(records, in: database) == records.count)
            all += records.map(\.id)
            target = records[records.count - 1].id
        }
        return all
    }

    private func chain(on root: RecordID, _ database: Database) throws -> [RecordID] {
        let ids = try [root] + (0..<2 * width).map { try RecordID("chain \($0)") }
        let records = try zip(ids, ids.dropFirst()).map { target, id in
            try ReferenceScene.record(id, .deleteSelf, target)
        }
        try require(ReferenceScene.save(records, in: database) == records.count)
        return records.map(\.id)
    }

    private func require(_ condition: Bool) throws {
        guard condition else { throw ExperimentFailure("the references were not saved") }
    }

    /// The rows that belong to a user who was erased.
    private func rows(of user: UserRecordID, _ store: AttackedStore) throws -> Int {
        try ErasureRaces.rows(of: [user], store.service)
    }
}
