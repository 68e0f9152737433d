import ArgumentParser
import Kinfolk
import KinfolkJSON

struct DeviceList: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the person's devices, in the order of their names.",
        discussion: "Sessions without a name are counted, in \"unnamed\" of --json."
    )

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let devices = try session.session(in: service).devices()
        let names = devices.compactMap(\.name)
        let unnamed = devices.count - names.count
        let json: JSON = ["devices": .array(names.map(JSON.string)), "unnamed": .count(unnamed)]
        guard !devices.isEmpty else { return Answer(json, line: "No device.") }
        var table = Table(.flexible("DEVICE"))
        for name in names { table.add(name) }
        let rest = "\(unnamed.counted("session", "sessions")) without a device's name."
        return Answer(json, [.table(table)] + (unnamed > 0 ? [.line(rest)] : []))
    }
}
