import ArgumentParser
import Kinfolk
import KinfolkFiles
import KinfolkJSON

struct KeyValueSet: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set the value of a key.",
        discussion: """
            \(PropertyListText.manual)

            EXAMPLES
              kinfolk kv set size :int64=12 \\
                --container com.example.notes --account ada@example.com
              kinfolk kv set fonts '["Serif", "Sans"]' --json-value \\
                --container com.example.notes --account ada@example.com
            """
    )

    @Argument(help: "The key.")
    var key: String

    @Argument(help: "The value: a string, or :TYPE=VALUE.")
    var value: String

    @Flag(help: "The value is a JSON text.")
    var jsonValue = false

    @OptionGroup var device: DeviceOptions
    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    private var isInput: Bool { jsonValue && value == "-" }

    func validate() throws { if isInput { try options.key.validate(besides: FilePath("-")) } }

    func answer(from service: Service) throws -> Answer {
        let value = try parsed()
        let store = try session.session(in: service, device: device.device).keyValueStore()
        do { try store.set(value, forKey: key) } catch {
            guard error.code == .quotaExceeded else { throw error }
            throw error.advising("\"kinfolk kv remove\" makes room.")
        }
        return Answer(.object([("key", .string(key))] + value.members), line: "Set \(key).")
    }

    private func parsed() throws(KinfolkError) -> PropertyListValue {
        guard jsonValue else { return try PropertyListText(value).value() }
        return try PropertyListJSON.value(in: isInput ? input() : Array(value.utf8))
    }

    private func input() throws(KinfolkError) -> [UInt8] {
        // In JSON a value can have several times as many bytes as in the store.
        try File.read(FilePath("/dev/stdin"), limit: 16 * KeyValueStore.maximumSize)
    }
}
