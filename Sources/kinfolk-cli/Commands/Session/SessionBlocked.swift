import ArgumentParser
import Kinfolk
import KinfolkJSON

struct SessionBlocked: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "blocked",
        abstract: "List the IDs that the person blocked, sorted.",
        discussion: "Not the people who blocked the person, nor the blocks of the operator."
    )

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let ids = try session.session(in: service).blockedUserRecordIDs()
        let json: JSON = ["user_record_ids": .array(ids.map(JSON.text))]
        guard !ids.isEmpty else { return Answer(json, line: "Nobody is blocked.") }
        var table = Table(.fixed("USER RECORD ID"))
        for id in ids { table.add(id.description) }
        return Answer(json, table: table)
    }
}
