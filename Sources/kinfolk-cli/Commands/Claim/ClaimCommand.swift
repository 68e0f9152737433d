import ArgumentParser

struct ClaimCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "claim",
        abstract: "Look after claims: accounts that proved an address which another account has verified.",
        discussion: """
            Mail the notice of each claim to all addresses that "kinfolk claim list" has for it, and acknowledge it: only \
            then the wait begins. A claim that is disputed is yours to decide: "kinfolk account transfer-email" gives the \
            address to the claimant, "kinfolk claim dismiss" leaves it to its owner.
            """,
        subcommands: [ClaimList.self, ClaimAcknowledge.self, ClaimDismiss.self, ClaimWaitCommand.self]
    )
}
