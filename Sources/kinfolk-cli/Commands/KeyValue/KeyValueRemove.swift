import ArgumentParser
import Kinfolk
import KinfolkJSON

struct KeyValueRemove: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a key with its value.",
        discussion: "If the key has no value, nothing changes."
    )

    @Argument(help: "The key.")
    var key: String

    @OptionGroup var device: DeviceOptions
    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        try session.session(in: service, device: device.device).keyValueStore().removeValue(forKey: key)
        return Answer(["key": .string(key), "removed": .boolean(true)], line: "The key \(key) has no value now.")
    }
}
