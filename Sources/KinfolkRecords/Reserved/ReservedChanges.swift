import KinfolkCrypto
package import KinfolkModel

/// The changes of a reserved zone after a token: a page of them.
package struct ReservedChanges: Sendable {
    /// A record that was deleted.
    package struct Deletion: Sendable {
        package let name: String
        /// The device that deleted it; nil if it is not known.
        package let device: RandomID?
    }

    /// The number of the last change before them.
    package let start: Int64
    /// The records that were saved, as they are now, in the order of their last changes.
    package let records: [Record]
    /// The records that were deleted, in the order of their deletions.
    package let deleted: [Deletion]
    package let token: ServerChangeToken
    package let moreComing: Bool
}
