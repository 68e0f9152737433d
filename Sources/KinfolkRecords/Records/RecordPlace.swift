import KinfolkAccounts
package import KinfolkCore
package import KinfolkCrypto
package import KinfolkModel
import KinfolkStorage

/// A zone of a database of a container, as its rows name it: for the public database and for each user's private one.
package struct RecordPlace: Sendable {
    package let home: RecordHome
    /// The user record ID of the database's user; empty for the public database.
    package let owner: [UInt8]
    /// The number of the zone; 0 for `_defaultZone`.
    package let zone: Int64
    package let zoneName: String
    package let keys: ContainerKeys
    /// Seals the contents of records: the keys of the container, or those of a custom zone.
    package let sealing: SealingKeys
    /// The first parts of the place of each record's content.
    private let sealedPlace: SealedPlace
    /// The same for user records, as version 0.1.0 sealed them: without the owner.
    private let sealedPlaceOfUsers: SealedPlace
    package var container: Int64 { home.container }
    package var database: DatabaseScope { home.database }
    /// Whether its changes are numbered.
    package var tracksChanges: Bool { zone != 0 }
    /// The tags of the database under each of the container's keys, the newest first.
    package var tags: RecordTags.Epochs { RecordTags.Epochs(keys: keys.recordTags, owner: owner) }

    /// The default zone of a database.
    ///
    /// - Parameter user: Whose private database; nil for the public one.
    package init(ofPrivate user: UserRecordID?, in container: Int64, _ keys: ContainerKeys) {
        home = RecordHome(container: container, database: user == nil ? .public : .private, owner: user)
        owner = user?.value.bytes ?? []
        zone = 0
        zoneName = RecordZone.defaultName
        self.keys = keys
        sealing = keys.sealing
        sealedPlace = SealedPlace("records", "sealed_fields", row: .number(container), .bytes(owner))
        sealedPlaceOfUsers = SealedPlace("records", "sealed_fields", row: .number(container))
    }

    /// The default zone of the database with this owner in its rows.
    package init(ofOwner owner: [UInt8], in container: Int64, _ keys: ContainerKeys) throws {
        let user = owner.withUnsafeBytes(RandomID.init(bytes:)).map(UserRecordID.init)
        guard owner.isEmpty || user != nil else { throw StorageError(.corrupt) }
        self.init(ofPrivate: user, in: container, keys)
    }

    /// A custom zone.
    init(zone: Int64, named name: String, _ key: SecretKey, in database: RecordPlace) throws {
        home = database.home
        owner = database.owner
        self.zone = zone
        zoneName = name
        keys = database.keys
        sealing = try keys.sealing(ofZone: key)
        sealedPlace = database.sealedPlace
        sealedPlaceOfUsers = database.sealedPlaceOfUsers
    }

    /// Where the content of the record with this tag is sealed. The owner and the type are part of that, except for user records, whose
    /// type is 0: version 0.1.0 had no others. The key of a custom zone binds its records to the zone.
    func seal(at nameTag: Tag, type: Int64) -> SealedPlace {
        let scope = UInt8(truncatingIfNeeded: database.rawValue)
        return type == 0
            ? sealedPlaceOfUsers.appending(nameTag, scope, nil) : sealedPlace.appending(nameTag, scope, type)
    }
}
