import ArgumentParser

struct DeviceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "List and remove the devices that receive a person's notifications.",
        discussion: """
            A device has a name that the application chooses. The first "kinfolk watch --device NAME" or "kinfolk subscription save \
            --device NAME" makes it. From then on notifications wait for it, until it has shown them. It is not notified of changes \
            that were made on itself. A program without a name is a device too, until it has been silent for a day.
            """,
        subcommands: [DeviceList.self, DeviceRemove.self]
    )
}
