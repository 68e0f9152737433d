import ArgumentParser
import Kinfolk
import KinfolkJSON

/// A field to add, and where.
struct FieldAddition: ParsableArguments {
    static let manual = """
        Without it, the first save with a new name adds the field, where saves may: see --fields of "kinfolk container permits".

        Without --index the field gets the index of a field that a save adds: queryable, but none for a boolean, a location, a \
        list, or a field of user records. A stolen store shows which records have the same value of a queryable field, and the \
        order of a sortable one.
        """

    @Argument(help: "The container's name.")
    var name: String

    @Argument(help: "The field's name.")
    var field: String

    @Argument(
        help:
            "The field's type: string, int64, double, boolean, bytes, date, location, reference, asset, or stringList and so on.",
        transform: { text in
            guard let type = FieldType.allCases.first(where: { "\($0)" == text }) else {
                throw ValidationError("No field type is called \"\(text)\".")
            }
            return type
        }
    )
    var type: FieldType

    @Option(help: ArgumentHelp("The record type.", valueName: "record-type"))
    var recordType = "Users"

    @Option(help: "An index of the field; may be repeated.")
    var index: [Index] = []

    @OptionGroup var environment: EnvironmentOptions

    enum Index: String, ExpressibleByArgument, CaseIterable {
        case queryable, sortable, searchable, none

        fileprivate var meaning: FieldIndexes {
            switch self {
            case .queryable: .queryable
            case .sortable: .sortable
            case .searchable: .searchable
            case .none: []
            }
        }
    }

    func validate() throws {
        guard !index.contains(.none) || index.count == 1 else {
            throw ValidationError("--index none excludes the other indexes.")
        }
    }

    func answer(from service: Service) throws -> Answer {
        let container = try environment.container(name, in: service)
        let indexes = index.isEmpty ? nil : FieldIndexes(index.map(\.meaning))
        try container.addField(field, type: type, indexes: indexes, to: recordType)
        try container.buildIndexes(after: "The field was added.")
        return Answer(
            [
                "container": .string(container.name), "record_type": .string(recordType), "added_field": .string(field),
                "type": .string("\(type)"),
            ],
            line: "Added the field \(field) of type \(type)."
        )
    }
}
