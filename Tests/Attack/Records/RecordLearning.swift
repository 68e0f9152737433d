import Kinfolk

/// Compares everything that a user is told in two stores, in which only the content of another user's private database differs: the
/// records found, codes and reasons of errors, the order of errors, limits, and the export.
struct RecordLearning {
    /// What else is in the store.
    private enum World {
        case nothing
        case privateRecords
        case publicRecords
    }

    private let rounds: Int

    init(rounds: Int) { self.rounds = rounds }

    func findings() throws -> [Finding] {
        let alone = try transcript(.nothing)
        let beside = try transcript(.privateRecords)
        let differences = zip(alone, beside).count { $0 != $1 } + abs(alone.count - beside.count)
        let visible = zip(alone, try transcript(.publicRecords)).filter { $0 != $1 }
        guard !visible.isEmpty else { throw ExperimentFailure("a public record with the same name changes no answer") }
        return [
            Finding(
                "every call about \(rounds) names, in a store where another user has private records with these names, and in one "
                    + "where nobody has",
                "\(differences) of \(alone.count.grouped) answers differ",
                isHeld: differences == 0 && alone.count > 100 * rounds / 2
            ),
            Finding(
                "not promised: the same where another user has public records with these names",
                "\(visible.count.grouped) answers differ: a taken name shows in the public database",
                isHeld: true
            ),
        ]
    }

    /// All answers to one user, without what is random.
    private func transcript(_ world: World) throws -> [String] {
        let scene = try RecordScene()
        let session = try scene.store.session(InventedPerson(2))
        let ids = try (0..<rounds).map { try RecordID("diary \($0)") }
        switch world {
        case .nothing: break
        case .privateRecords:
            let others = (0..<500).map { _ in RecordID() }
            for record in try scene.savePrivateRecords(ids + others).suffix(100) {
                // Changed and deleted records leave nothing to be noticed either.
                _ = try scene.owner.privateDatabase.save(RecordScene.forged(record))
                try scene.owner.privateDatabase.delete(record.id)
            }
        case .publicRecords:
            for id in ids { _ = try scene.owner.publicDatabase.save(RecordScene.record(id, title: "public")) }
        }
        var answers: [String] = []
        for scope in DatabaseScope.allCases {
            let calls = RecordCalls(session, in: scope)
            for id in ids {
                calls.read(id, with: ids)
                try calls.write(RecordScene.record(id, title: "mine"))
                // Of another type than in the schema.
                var wrong = try RecordScene.record(id, title: "")
                try wrong.set("title", to: .int64(1))
                try calls.write(wrong)
                try calls.delete(id, changeTag: nil)
            }
            calls.export()
            answers += calls.answers
        }
        return answers.map(RecordLearning.withoutRandomness)
    }

    /// With every ID and change tag replaced by its length.
    static func withoutRandomness(_ text: String) -> String {
        var shown = ""
        var run = ""
        for character in text + "\n" {
            if character.isHexDigit || character == "-" {
                run.append(character)
                continue
            }
            shown += run.count < 16 ? run : "#\(run.count)"
            run = ""
            shown.append(character)
        }
        return shown
    }
}
