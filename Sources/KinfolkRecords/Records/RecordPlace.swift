import KinfolkAccounts
package import KinfolkCore
import KinfolkCrypto
package import KinfolkModel

/// A database of a container, as its rows name it: for the public database and for each user's private one.
package struct RecordPlace: Sendable {
    package let container: Int64
    package let database: DatabaseScope
    /// The user record ID of the database's user; empty for the public database.
    package let owner: [UInt8]
    /// The only zone there is so far: `_defaultZone`.
    package let zone: Int64 = 0
    package let keys: ContainerKeys
    /// The tags of the database under each of the container's keys, the newest first.
    package var tags: RecordTags.Epochs { RecordTags.Epochs(keys: keys.recordTags, owner: owner) }

    /// - Parameter user: Whose private database; nil for the public one.
    package init(ofPrivate user: UserRecordID?, in container: Int64, _ keys: ContainerKeys) {
        self.container = container
        database = user == nil ? .public : .private
        owner = user?.value.bytes ?? []
        self.keys = keys
    }

    /// Where the content of the record with this tag is sealed.
    func seal(at nameTag: Tag) -> SealedPlace {
        SealedPlace(
            "records",
            "sealed_fields",
            row: .number(container),
            .tag(nameTag),
            .bytes([UInt8(truncatingIfNeeded: database.rawValue)])
        )
    }
}
