import ArgumentParser
import Kinfolk
import KinfolkJSON

struct ContainerQuota: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "quota",
        abstract: "Show or change how many bytes may be stored.",
        discussion: """
            The bytes of the sealed (encrypted) records and assets are counted, with their padding; indexes are not. A save that \
            would exceed a quota stores nothing, and its exit status is that of quotaExceeded (28). What exceeds a new quota \
            already stays, and deletions are always possible.

            --asset limits the size of a single file, before it is sealed: a larger one is limitExceeded (16).

            --key-value-store limits the keys and values of each user, before they are sealed. They have at most 1 MB in any case.

            \(ByteLimit.manual)

            "kinfolk stats" shows the bytes of all people together, and "kinfolk session storage" those of one person.

            EXAMPLE
              kinfolk container quota com.example.notes \\
                --user 2GB --public 50GB
            """
    )

    @Argument(help: "The container's name.")
    var name: String

    @Option(help: ArgumentHelp("Limit the private database of each user.", valueName: "size"))
    var user: ByteLimit?

    @Option(help: ArgumentHelp("Limit the public database.", valueName: "size"))
    var `public`: ByteLimit?

    @Option(help: ArgumentHelp("Limit what each user created in the public database.", valueName: "size"))
    var creator: ByteLimit?

    @Option(help: ArgumentHelp("Limit the size of each asset.", valueName: "size"))
    var asset: ByteLimit?

    @Option(help: ArgumentHelp("Limit the key-value store of each user.", valueName: "size"))
    var keyValueStore: ByteLimit?

    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let container = try environment.container(name, in: service)
        let limits: [(Quota, ByteLimit?)] = [
            (.user, user), (.publicDatabase, `public`), (.creator, creator), (.asset, asset),
            (.keyValueStore, keyValueStore),
        ]
        for (quota, limit) in limits {
            if let limit { try container.setQuota(quota, to: limit.bytes) }
        }
        let view = try QuotasView(container)
        return Answer(["container": .string(container.name), "quotas": view.json], table: view.table)
    }
}
