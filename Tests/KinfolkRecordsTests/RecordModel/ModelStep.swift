import Kinfolk

/// A call of the product, or something that happens between calls. A step makes sense in any state, so that a sequence of steps can
/// be shortened: what it names and is not there, it does without.
enum ModelStep {
    case fetch(Access, [Key], keep: Int)
    case save(Access, Draft, SavePolicy, keep: Int)
    case delete(Access, Draft, withTag: Bool)
    case batch(Access, [Item], isAtomic: Bool, keep: Int)

    case listBackReferences(Access, Key, limit: Int)

    case saveZone(Access, zone: Int?)
    case deleteZone(Access, zone: Int?)
    case listZones(Access)
    /// A reader gets the next page of the changes of a zone.
    case pull(Access, zone: Int?, reader: Int, limit: Int)
    /// A reader gets the changes of a database.
    case pullZones(Access, reader: Int)

    /// The asset gets its place among those in hand when the upload is finished. An upload that is in its place is abandoned.
    case beginUpload(Access, zone: Int?, upload: Int, keep: Int)
    case write(ModelPiece, upload: Int)
    case finishUpload(Int)
    case cancelUpload(Int)
    /// Makes an asset in hand one of another zone, or of another size.
    case forge(asset: Int, zone: Int?, isLonger: Bool, keep: Int)
    /// Opens a reader and reads.
    case openAsset(Access, asset: Int, ModelPart, reader: Int)
    /// Reads with a reader that was opened before.
    case readAsset(reader: Int, ModelPart)

    /// Lets a person have some bytes more than are stored now, or less; or removes the quota. An asset has at most so many.
    case setQuota(Access, Quota, room: Int?)
    case compareStorageUse(Access)

    case addField(ContainerEnvironment, String, ModelField, to: String, service: Int)
    /// Applies a text that declares a field.
    case declare(ContainerEnvironment, String, ModelField, of: String, service: Int)
    case deploy(ContainerEnvironment, service: Int)
    case removeField(ContainerEnvironment, String, from: String, service: Int)

    case createRole(ContainerEnvironment, String, service: Int)
    case removeRole(ContainerEnvironment, String, service: Int)
    case declareGrants(ContainerEnvironment, [String: Set<ModelPermission>], on: String, service: Int)
    /// Gives a role to a person, or takes it.
    case changeRole(ContainerEnvironment, String, slot: Int, isGiven: Bool, service: Int)

    case join(slot: Int)
    case setSuspended(slot: Int, Bool)
    case block(slot: Int, other: Int)
    case erase(slot: Int, keepsPublicRecords: Bool, service: Int)
    case export(slot: Int, service: Int)

    case beginRotation(isLeaked: Bool, service: Int)
    /// Renews some accounts, or the records of an environment.
    case stepRotation(of: ContainerEnvironment?, service: Int)
    case finishRotation(service: Int)
    case reopen(service: Int)
    case wait(seconds: Int)
    /// Compares all that the store holds with the model.
    case check(service: Int)

    enum Actor {
        case person(slot: Int)
        /// The person who was erased last from a slot, by a session from before.
        case erased(slot: Int)
        case anonymous
    }

    struct Access {
        let service: Int
        let actor: Actor
        let environment: ContainerEnvironment
        let scope: DatabaseScope
    }

    enum Name {
        case own(Int)
        case generated(Int)
        /// One of very many that refer to the same record.
        case leaf(Int)
        /// The user record of the person in a slot.
        case user(slot: Int)
    }

    /// A record of a custom zone, or of the default zone.
    struct Key {
        let name: Name
        let zone: Int?
    }

    /// A record that a caller holds, or a new one, with changes.
    struct Draft {
        /// Which of the records in hand to use. If there is none, a new record.
        let hand: Int?
        let key: Key
        let type: String
        let changes: [Change]
    }

    struct Change {
        /// A field, or the parent.
        let field: String
        /// Nil to remove it.
        let value: ModelValue?
    }

    enum Kind: CaseIterable {
        case create
        case update
        case forceUpdate
        case replace
        case forceReplace
        case delete
        case forceDelete
    }

    struct Item {
        let kind: Kind
        let draft: Draft
    }
}
