/// A block between two people that the operator made: `block(_:from:)` of a container.
public struct OperatorBlock: Hashable, Sendable {
    /// One of the two: the first argument of `block(_:from:)`.
    public let userRecordID: UserRecordID

    /// The other.
    public let otherUserRecordID: UserRecordID

    /// A block between two people, as one to go on after.
    public init(userRecordID: UserRecordID, otherUserRecordID: UserRecordID) {
        self.userRecordID = userRecordID
        self.otherUserRecordID = otherUserRecordID
    }
}

extension OperatorBlock: Redacted {}
