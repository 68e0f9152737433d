import ArgumentParser

struct ContainerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "container",
        abstract: "Make and look after containers: one application's silo each.",
        subcommands: [
            ContainerCreate.self, ContainerList.self, ContainerDirectory.self, ContainerPermits.self,
            ContainerAddField.self, ContainerRemoveField.self, ContainerBlock.self, ContainerUnblock.self,
            ContainerBlocks.self, ContainerDelete.self,
        ]
    )
}
