import ArgumentParser
import Kinfolk
import KinfolkJSON

/// A person's session, and another person in the same container.
struct OtherPersonOptions: ParsableArguments {
    @Argument(help: "The other person's user record ID.")
    var id: String

    @OptionGroup var session: SessionOptions

    /// Makes or ends the person's block of the other, with `change`.
    func answer(
        from service: Service,
        blocked: Bool,
        change: (Session, UserRecordID) throws -> Void
    ) throws -> Answer {
        let id = try UserRecordID(id)
        try change(session.session(in: service), id)
        return Answer(
            ["user_record_id": .text(id), "blocked": .boolean(blocked)],
            line: blocked ? "Blocked \(id)." : "Unblocked \(id)."
        )
    }
}
