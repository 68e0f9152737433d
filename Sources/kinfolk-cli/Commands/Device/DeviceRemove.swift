import ArgumentParser
import Kinfolk
import KinfolkJSON

struct DeviceRemove: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a device, with the notifications that wait for it.",
        discussion: "If a program still watches on this device, it makes the device again."
    )

    @Argument(help: ArgumentHelp("The device's name.", valueName: "device-name"))
    var name: String

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let session = try session.session(in: service)
        do { try session.removeDevice(named: name) } catch {
            guard error.code == .unknownItem else { throw error }
            throw error.advising("\"kinfolk device list\" shows the names.")
        }
        return Answer(["device": .string(name), "removed": .boolean(true)], line: "Removed the device \(name).")
    }
}
