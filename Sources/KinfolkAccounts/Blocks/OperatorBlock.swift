public import KinfolkModel

/// A block between two people that the operator made with `block(_:from:)` of a container.
public struct OperatorBlock: Hashable, Sendable {
    /// One of the two people: the first argument of `block(_:from:)`.
    public let userRecordID: UserRecordID

    /// The other person.
    public let otherUserRecordID: UserRecordID

    /// Creates a block, to request the page after it.
    public init(userRecordID: UserRecordID, otherUserRecordID: UserRecordID) {
        self.userRecordID = userRecordID
        self.otherUserRecordID = otherUserRecordID
    }
}

extension OperatorBlock: Redacted {}
