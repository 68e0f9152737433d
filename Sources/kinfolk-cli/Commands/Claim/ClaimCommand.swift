import ArgumentParser

struct ClaimCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "claim",
        abstract: "Manage claims: accounts that proved an address which another account has verified.",
        discussion: """
            Mail the notice of each claim to all addresses that "kinfolk claim list" shows for it, and then acknowledge the \
            notice: the wait begins only then. You decide a disputed claim: "kinfolk account transfer-email" gives the \
            address to the claimant, "kinfolk claim dismiss" leaves it to its owner.
            """,
        subcommands: [ClaimList.self, ClaimAcknowledge.self, ClaimDismiss.self, ClaimWaitCommand.self]
    )
}
