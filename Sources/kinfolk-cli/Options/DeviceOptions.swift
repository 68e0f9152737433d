import ArgumentParser

/// The device of a session.
struct DeviceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The name of the person's device; a new name makes one.",
            discussion: "Notifications wait for a device with a name while no program runs.",
            valueName: "name"
        )
    )
    var device: String?
}
