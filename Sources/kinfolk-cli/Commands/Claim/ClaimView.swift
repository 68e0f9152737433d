import Kinfolk
import KinfolkJSON

/// A claim as it is shown.
struct ClaimView {
    let claim: EmailClaim

    init(_ claim: EmailClaim) { self.claim = claim }

    private var state: String {
        switch claim.state {
        case .awaitingNotice: "awaiting notice"
        case .waiting: "waiting"
        case .completable: "completable"
        case .refused: "refused"
        case .disputed: "disputed"
        case .dismissed: "dismissed"
        }
    }

    var json: JSON {
        [
            "claim_id": .text(claim.id),
            "address": .string(claim.address),
            "owner_id": .text(claim.owner),
            "claimant_id": .text(claim.claimant),
            "state": .string(state),
            "opened_at": .text(claim.openedAt),
            "noticed_at": claim.noticedAt.map(JSON.text) ?? .null,
            "completable_at": claim.completableAt.map(JSON.text) ?? .null,
            "notice": .array(claim.notice.map(JSON.string)),
        ]
    }

    /// The claim, its state, and the addresses for its notice.
    var blocks: [Answer.Block] {
        var table = Table(.fixed("CLAIM"), .flexible("ADDRESS"), .fixed("STATE"), .fixed("COMPLETABLE"))
        table.add(claim.id.description, claim.address, state, claim.shownMoment)
        var blocks: [Answer.Block] = [.table(table)]
        if claim.noticedAt == nil {
            blocks.append(.line("Mail the notice to: \(claim.notice.joined(separator: " "))"))
        }
        return blocks
    }

    /// The answer after an address was proved or vouched for: the account, or the claim that this opened.
    static func answer(to verification: EmailVerification?, _ account: Account) throws -> Answer {
        guard let claim = verification?.claim else { return try AccountView(account).answer }
        return Answer(
            ClaimView(claim).json,
            [.line("Another account has this address verified. It was not moved.")] + ClaimView(claim).blocks
        )
    }

    static func answer(_ claims: [EmailClaim], next: ClaimID? = nil) -> Answer {
        let json: JSON = ["claims": .array(claims.map { ClaimView($0).json }), "next": next.map(JSON.text) ?? .null]
        guard !claims.isEmpty else { return Answer(json, line: "No claim.") }
        var table = Table(.fixed("CLAIM"), .flexible("ADDRESS"), .fixed("STATE"), .fixed("COMPLETABLE"))
        for claim in claims {
            table.add(claim.id.description, claim.address, ClaimView(claim).state, claim.shownMoment)
        }
        let notices = claims.filter { $0.state == .awaitingNotice }.map { claim in
            Answer.Block.line("Mail the notice of \(claim.id) to: \(claim.notice.joined(separator: " "))")
        }
        return Answer(json, [.table(table)] + notices + (next.map { [.line("More: --after \($0)")] } ?? []))
    }
}

extension EmailClaim {
    /// The time from which the claim can be completed, to the minute.
    fileprivate var shownMoment: String {
        guard let text = completableAt?.description else { return "-" }
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5))"
    }
}
