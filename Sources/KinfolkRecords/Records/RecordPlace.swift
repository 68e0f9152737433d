import KinfolkAccounts
package import KinfolkCore
import KinfolkCrypto
package import KinfolkModel

/// A database of a container, as its rows name it: for the public database and for each user's private one.
package struct RecordPlace: Sendable {
    package let home: RecordHome
    /// The user record ID of the database's user; empty for the public database.
    package let owner: [UInt8]
    /// The only zone there is so far: `_defaultZone`.
    package let zone: Int64 = 0
    package let keys: ContainerKeys
    package var container: Int64 { home.container }
    package var database: DatabaseScope { home.database }
    /// The tags of the database under each of the container's keys, the newest first.
    package var tags: RecordTags.Epochs { RecordTags.Epochs(keys: keys.recordTags, owner: owner) }

    /// - Parameter user: Whose private database; nil for the public one.
    package init(ofPrivate user: UserRecordID?, in container: Int64, _ keys: ContainerKeys) {
        home = RecordHome(container: container, database: user == nil ? .public : .private, owner: user)
        owner = user?.value.bytes ?? []
        self.keys = keys
    }

    /// Where the content of the record with this tag is sealed. Its type is part of that. Version 0.1.0 had user records only, whose type
    /// is 0 and not named.
    func seal(at nameTag: Tag, type: Int64) -> SealedPlace {
        let scope = SealedPlace.Part.bytes([UInt8(truncatingIfNeeded: database.rawValue)])
        return type == 0
            ? SealedPlace("records", "sealed_fields", row: .number(container), .tag(nameTag), scope)
            : SealedPlace("records", "sealed_fields", row: .number(container), .tag(nameTag), scope, .number(type))
    }
}
