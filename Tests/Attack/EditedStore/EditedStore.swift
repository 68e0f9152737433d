import Kinfolk

/// If an attacker edits the store without its key, each answer is still right, or an error. None is wrong.
struct EditedStore: Experiment {
    let name = "edited"
    let promise = "edited store"

    func run(_ length: Length) throws -> [Finding] {
        try Edit.all.map { edit in
            let scene = try EditedScene()
            try edit.before(scene)
            let honest = try scene.answers()
            try scene.run(edit.sql(scene))
            let answers = try scene.answers()
            var (right, refused, missing) = (0, 0, 0)
            var wrong: [String] = []
            for (question, answer) in answers.sorted(by: { $0.key < $1.key }) {
                if answer == honest[question] {
                    right += 1
                } else if answer == EditedScene.refused {
                    refused += 1
                } else if [EditedScene.nobody, "unknownItem", "notAuthenticated"].contains(answer) {
                    missing += 1
                } else {
                    wrong.append(question)
                }
            }
            return Finding(
                edit.title,
                wrong.isEmpty
                    ? "of \(answers.count) answers: \(right) right, \(refused) errors, \(missing) empty"
                    : "wrong: \(wrong.joined(separator: ", "))",
                isHeld: wrong.isEmpty && refused > 0
            )
        }
    }
}
