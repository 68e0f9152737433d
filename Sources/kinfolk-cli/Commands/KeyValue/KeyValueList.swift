import ArgumentParser
import Kinfolk
import KinfolkJSON

struct KeyValueList: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the keys with their values, in the order of the bytes of the keys."
    )

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let entries = try session.session(in: service).keyValueStore().entries()
        let json: JSON = [
            "entries": .array(entries.map { .object([("key", .string($0.key))] + $0.value.members) })
        ]
        guard !entries.isEmpty else { return Answer(json, line: "No key.") }
        var table = Table(.flexible("KEY"), .fixed("TYPE"), .flexible("VALUE"))
        for entry in entries { table.add(entry.key, entry.value.typeName, entry.value.shown) }
        return Answer(json, table: table)
    }
}
