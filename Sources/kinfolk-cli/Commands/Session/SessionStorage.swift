import ArgumentParser
import Kinfolk
import KinfolkJSON

struct SessionStorage: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "storage",
        abstract: "Show how many bytes the person has stored, and may store.",
        discussion: """
            The bytes of the sealed (encrypted) records and assets are counted, also of assets that are being uploaded. \
            "kinfolk container quota" shows and changes the limits.
            """
    )

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let use = try session.session(in: service).storageUse()
        var table = Table(.fixed("WHERE"), .number("BYTES"), .number("QUOTA"))
        table.add("private database", "\(use.privateBytes)", ByteLimit(use.privateQuota).text)
        table.add("created in the public database", "\(use.publicBytes)", ByteLimit(use.publicQuota).text)
        return Answer(
            [
                "private_bytes": .count(use.privateBytes),
                "private_quota": use.privateQuota.map(JSON.count) ?? .null,
                "public_bytes": .count(use.publicBytes),
                "public_quota": use.publicQuota.map(JSON.count) ?? .null,
            ],
            table: table
        )
    }
}
