import ArgumentParser
import Kinfolk

/// How to save a record that another process may have saved in between.
struct SaveOptions: ParsableArguments {
    @Option(help: "What to do if another program saved the record in between.")
    var policy: Policy = .ifServerRecordUnchanged

    @Option(
        help: ArgumentHelp(
            "Save only if the record still has this change tag.",
            discussion: "\"record get\" shows it. Without it the command reads the record just before it saves.",
            valueName: "tag"
        )
    )
    var changeTag: String?

    enum Policy: String, ExpressibleByArgument, CaseIterable {
        case ifServerRecordUnchanged = "if-server-record-unchanged"
        case changedKeys = "changed-keys"
        case allKeys = "all-keys"

        var meaning: SavePolicy {
            switch self {
            case .ifServerRecordUnchanged: .ifServerRecordUnchanged
            case .changedKeys: .changedKeys
            case .allKeys: .allKeys
            }
        }
    }

    /// Reads the session's own record, lets `change` change it, and saves it.
    func save(
        in database: DatabaseScope,
        of session: Session,
        _ change: (inout Record) throws(KinfolkError) -> Void
    ) throws(KinfolkError) -> Record {
        var record = try session.fetchUserRecord(in: database)
        // The store compares the tag.
        if let changeTag { record = try record.holding(changeTag: changeTag, in: session.database(database)) }
        try change(&record)
        return try session.save(record, policy: policy.meaning)
    }
}
