import Kinfolk
import KinfolkJSON

/// The changes of a schema, as commands show them.
struct SchemaDifferenceView {
    private let difference: SchemaDifference
    private let container: Container

    init(_ difference: SchemaDifference, of container: Container) {
        self.difference = difference
        self.container = container
    }

    /// - Parameter ifEmpty: What to say if there are no changes.
    func answer(ifEmpty: String) -> Answer {
        let changes = difference.changes.map { change -> JSON in
            [
                "kind": .string("\(change.kind)"),
                "record_type": change.recordType.map(JSON.string) ?? .null,
                "name": change.name.map(JSON.string) ?? .null,
                "detail": change.detail.map(JSON.string) ?? .null,
            ]
        }
        let lines = difference.isEmpty ? [ifEmpty] : difference.changes.map(\.description)
        return Answer(
            ["container": .string(container.name), "changes": .array(changes)],
            lines.map { .line($0) }
        )
    }

    /// Shows the changes on standard error, before a question.
    func complain() {
        for change in difference.changes { Streams.complain("\(VisibleText(change.description).text)\n") }
    }
}
