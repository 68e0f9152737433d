import KinfolkAccounts
import KinfolkCore
import KinfolkModel

/// A user of a container, for whose devices there are notifications.
struct Recipient: Hashable {
    let container: Int64
    let record: UserRecordID
}

extension Recipient {
    /// Nil for a session that nobody has signed in.
    init?(_ session: Session) {
        guard let record = session.recordID else { return nil }
        self.init(container: session.container.number, record: record)
    }
}
