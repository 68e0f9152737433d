import ArgumentParser
import Kinfolk
import KinfolkJSON

struct SessionStatus: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the status of the account, as the application sees it."
    )

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let session = try session.session(in: service)
        let status = session.accountStatus()
        let id = try session.userRecordID()
        let discoverability = try session.discoverability()
        var table = Table(.fixed("USER RECORD ID"), .fixed("STATUS"), .fixed("DISCOVERABILITY"))
        table.add("\(id)", "\(status)", "\(discoverability)")
        return Answer(
            [
                "user_record_id": .text(id),
                "account_status": .string("\(status)"),
                "discoverability": .string("\(discoverability)"),
            ],
            table: table
        )
    }
}
