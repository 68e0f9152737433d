import KinfolkCore
package import KinfolkModel
import KinfolkStorage

/// The part of the index tables that one query reads: the entries of a zone, or those of the public records that one user created.
///
/// If some callers may read records of a type only as their creator, these callers use the scope of their own records. So neither
/// answers nor work depend on the records of others.
package struct IndexScope: Sendable {
    /// A scope in its container, as the rows of indexes name it.
    package struct Key: Hashable, Comparable, Sendable {
        /// The user record ID of the user to whom the database or the public records belong; empty for a whole public database.
        package let owner: [UInt8]
        package let zone: Int64

        package static func < (left: Key, right: Key) -> Bool {
            left.owner == right.owner ? left.zone < right.zone : left.owner.lexicographicallyPrecedes(right.owner)
        }
    }

    /// Stands for the zone in the rows of a creator's public records.
    package static let ofCreator: Int64 = -1

    /// The zone in which the records are.
    package let place: RecordPlace
    package let key: Key
    package var container: Int64 { place.container }
    package var isOfCreator: Bool { key.zone == IndexScope.ofCreator }
    /// Whether the indexes of system times have its records and no others.
    var hasTimes: Bool { !isOfCreator }
    /// The tags under each of the container's keys, the newest first.
    package var tags: RecordTags.Epochs {
        RecordTags.Epochs(keys: place.keys.recordTags, owner: key.owner, isOfCreator: isOfCreator)
    }

    /// All records of a zone.
    package init(of place: RecordPlace) {
        self.place = place
        key = Key(owner: place.owner, zone: place.zone)
    }

    /// The public records that a user created.
    ///
    /// - Parameter place: The default zone of the public database.
    package init(ofRecordsBy creator: UserRecordID, in place: RecordPlace) {
        self.place = place
        key = Key(owner: creator.value.bytes, zone: IndexScope.ofCreator)
    }

    /// The scope that a row names.
    ///
    /// - Parameter place: The zone in which the records of the row are.
    package init(owner: [UInt8], zone: Int64, in place: RecordPlace) throws {
        guard zone == IndexScope.ofCreator else {
            self.init(of: place)
            return
        }
        guard let creator = owner.withUnsafeBytes(RandomID.init(bytes:)) else { throw StorageError(.corrupt) }
        self.init(ofRecordsBy: UserRecordID(creator), in: place)
    }

    /// Whether a record belongs to the scope.
    func contains(_ content: RecordContent) -> Bool {
        !isOfCreator || content.creator?.value.bytes == key.owner
    }

    /// The scopes in which a record has entries.
    package static func all(
        of content: RecordContent,
        _ type: TypeDefinition,
        _ presence: IndexPresence,
        in place: RecordPlace
    ) -> [IndexScope] {
        let whole = IndexScope(of: place)
        guard place.database == .public, type.number != 0, type.hasCreatorScope(presence),
            let creator = content.creator
        else { return [whole] }
        return [whole, IndexScope(ofRecordsBy: creator, in: place)]
    }
}
