import ArgumentParser
import Kinfolk
import KinfolkJSON

struct ContainerCreate: StoreCommand {
    static let configuration = CommandConfiguration(commandName: "create", abstract: "Make a container.")

    @Argument(help: "Its name, in reverse DNS: com.example.notes.")
    var name: String

    @Flag(help: "If a container with this name exists, leave it as it is and succeed.")
    var ifMissing = false

    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let (container, isNew) = try ifMissing ? service.openOrCreateContainer(name) : (create(in: service), true)
        return Answer(
            ["container": .string(container.name), "created": .boolean(isNew)],
            line: isNew ? "Made the container \(container.name)." : "The container \(container.name) exists already."
        )
    }

    private func create(in service: Service) throws(KinfolkError) -> Container {
        do { return try service.createContainer(name) } catch {
            throw error.code == .conflict ? error.advising("With --if-missing that is no error.") : error
        }
    }
}
