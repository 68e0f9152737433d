import ArgumentParser
import Kinfolk

struct ContainerCreate: StoreCommand {
    static let configuration = CommandConfiguration(commandName: "create", abstract: "Make a container.")

    @Argument(help: "Its name, in reverse DNS: com.example.notes.")
    var name: String

    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let container = try service.createContainer(name)
        return Answer(["container": .string(container.name)], line: "Made the container \(container.name).")
    }
}
