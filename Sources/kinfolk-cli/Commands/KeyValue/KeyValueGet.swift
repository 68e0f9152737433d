import ArgumentParser
import Kinfolk
import KinfolkJSON

struct KeyValueGet: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Print the value of a key.",
        discussion: """
            Bytes are printed in hexadecimal, arrays and dictionaries as JSON. --json also has the types. If the key has no value, \
            the exit status is that of unknownItem (12).
            """
    )

    @Argument(help: "The key.")
    var key: String

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        guard let value = try session.session(in: service).keyValueStore().value(forKey: key) else {
            throw KinfolkError(.unknownItem, "The key has no value. \"kinfolk kv list\" shows the keys.")
        }
        return Answer(.object([("key", .string(key))] + value.members), line: value.shown)
    }
}
