import ArgumentParser
import Kinfolk

struct ClaimDismiss: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "dismiss",
        abstract: "Decide a claim for the owner of the address.",
        discussion:
            "For 30 days the claimant cannot claim the address again, and no claim moves the address without you."
    )

    @Argument(help: "The claim's ID.")
    var claim: String

    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let view = ClaimView(try service.dismissClaim(ClaimID(claim)))
        return Answer(view.json, view.blocks)
    }
}
