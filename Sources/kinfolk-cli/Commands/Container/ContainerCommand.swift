import ArgumentParser

struct ContainerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "container",
        abstract: "Make and manage containers: each holds the data of one application.",
        subcommands: [
            ContainerCreate.self, ContainerList.self, ContainerDirectory.self, ContainerPermits.self,
            ContainerQuota.self, ContainerAddField.self, ContainerRemoveField.self, ContainerBlock.self,
            ContainerUnblock.self, ContainerBlocks.self, ContainerDelete.self,
        ]
    )
}
