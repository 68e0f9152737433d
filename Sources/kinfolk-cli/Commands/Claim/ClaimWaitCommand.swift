import ArgumentParser
import Kinfolk
import KinfolkJSON

struct ClaimWaitCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "wait",
        abstract: "Show or change for how long an owner can refuse a claim.",
        discussion: "A change applies to notices that are acknowledged from now on."
    )

    @Option(help: ArgumentHelp("The wait in hours: 0 to 720.", valueName: "n"))
    var hours: Double?

    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        if let hours { try service.setClaimWait(hours * 3_600) }
        let seconds = try service.claimWait()
        return Answer(
            ["seconds": .double(seconds)],
            line: "After the notice an owner can refuse a claim for \(seconds / 3_600) hours."
        )
    }
}
