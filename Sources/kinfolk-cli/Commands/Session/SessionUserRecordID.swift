import ArgumentParser
import Kinfolk
import KinfolkJSON

struct SessionUserRecordID: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "user-record-id",
        abstract: "Print the person's user record ID."
    )

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let id = try session.session(in: service).userRecordID()
        return Answer(["user_record_id": .text(id)], line: id.description)
    }
}
