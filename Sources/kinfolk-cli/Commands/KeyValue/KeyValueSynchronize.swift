import ArgumentParser
import Kinfolk
import KinfolkJSON

struct KeyValueSynchronize: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "synchronize",
        abstract: "Show which keys other devices have set or removed since the last time.",
        discussion: """
            Nothing needs to be synchronized for reading and writing: this only tells what changed. With --device it continues where \
            this device was last told. Without a device it tells of all keys that have a value.

            \(KeyValueChangeView.manual)

            EXAMPLE
              kinfolk kv synchronize --device laptop --json \\
                --container com.example.notes --account ada@example.com
            """
    )

    @OptionGroup var device: DeviceOptions
    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let changes = try session.session(in: service, device: device.device).keyValueStore().synchronize()
        let views = changes.map(KeyValueChangeView.init)
        let json: JSON = ["changes": .array(views.map(\.json))]
        guard !views.isEmpty else { return Answer(json, line: "Nothing changed.") }
        var table = Table(.fixed("REASON"), .flexible("KEY"))
        for view in views { view.add(to: &table) }
        return Answer(json, table: table)
    }
}
