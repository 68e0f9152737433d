import ArgumentParser
import Kinfolk
import KinfolkJSON

struct RecordReferences: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "references",
        abstract: "List the records that refer to a record.",
        discussion: """
            These are the records whose parent it is, and those that refer to it with the action deleteSelf or validate. A record \
            that refers to it in two ways is listed twice.

            EXAMPLE
              kinfolk record references groceries --database private \\
                --container com.example.notes --account ada@example.com
            """
    )

    @Argument(help: ArgumentHelp("The record's name.", valueName: "record-name"))
    var name: String

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let id = try database.recordID(name)
        let database = try database.database(in: service)
        var references: [BackReference] = []
        repeat {
            let page = try database.backReferences(to: id, after: references.last)
            guard !page.isEmpty else { break }
            references += page
        } while true
        var table = Table(.flexible("NAME"), .flexible("TYPE"), .fixed("KIND"))
        for reference in references { table.add(reference.source.name, reference.type, "\(reference.kind)") }
        return Answer(
            ["references": .array(references.map(\.json))],
            [table.isEmpty ? .line("No record refers to \(name).") : .table(table)]
        )
    }
}

extension BackReference {
    fileprivate var json: JSON {
        ["name": .string(source.name), "type": .string(type), "kind": .string("\(kind)")]
    }
}
