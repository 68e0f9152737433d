import ArgumentParser
import Kinfolk

struct ClaimAcknowledge: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "acknowledge",
        abstract: "Report that the notice of a claim was mailed: the wait begins.",
        discussion: "A second time it changes nothing."
    )

    @Argument(help: "The claim's ID.")
    var claim: String

    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let view = ClaimView(try service.acknowledgeNotice(of: ClaimID(claim)))
        return Answer(view.json, view.blocks)
    }
}
