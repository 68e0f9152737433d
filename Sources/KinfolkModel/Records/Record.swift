/// A user record: the fields of a user record ID.
///
/// A record is a value: changing it changes nothing in the store until it is saved. It has at most 1,000 fields and a size of at
/// most ``maximumSize``.
public struct Record: Sendable, Hashable {
    /// The maximum size of a record: the bytes of the names and values of its fields. Each text or byte string in a list counts
    /// four more.
    public static let maximumSize = 1_000_000

    /// The maximum number of fields in a record, which is also the maximum for a container.
    package static let maximumFields = 1_000

    /// The user record ID to which the record belongs.
    public let id: UserRecordID
    /// The database of the record.
    public let database: Database

    /// Distinguishes one state of the record from another: an opaque text.
    public let changeTag: String

    /// When the person first used the container.
    public let createdAt: Timestamp

    /// When the record was last saved.
    public let modifiedAt: Timestamp

    /// The user who created the record: its own user.
    public var createdBy: UserRecordID { id }

    /// The user who saved the record last: its own user, because nobody else may.
    public var modifiedBy: UserRecordID { id }

    package let container: Int64
    package private(set) var fields: Fields

    /// The fields that were set or removed since the record was fetched.
    public private(set) var changedKeys: Set<String> = []

    package init(
        id: UserRecordID,
        database: Database,
        container: Int64,
        changeTag: String,
        createdAt: Timestamp,
        modifiedAt: Timestamp,
        fields: Fields
    ) {
        self.id = id
        self.database = database
        self.container = container
        self.changeTag = changeTag
        self.createdAt = createdAt
        self.modifiedAt = modifiedAt
        self.fields = fields
    }

    /// The names of the fields, which are ASCII, in the order of their bytes.
    public var keys: [String] { fields.names }

    /// The value of a field, or nil.
    public subscript(key: String) -> FieldValue? { fields[key] }

    /// Sets a field.
    ///
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if the name is malformed, ``KinfolkError/Code/limitExceeded`` if the
    ///   value alone is larger than ``maximumSize``, or the record has 1,000 other fields.
    public mutating func set(_ key: String, to value: FieldValue) throws(KinfolkError) {
        try FieldName.validate(key)
        guard value.size <= Record.maximumSize else { throw Record.tooLarge }
        guard fields.names.count < Record.maximumFields || fields[key] != nil else {
            throw KinfolkError(.limitExceeded, "A record has at most \(Record.maximumFields) fields.")
        }
        fields[key] = value
        changedKeys.insert(key)
    }

    /// Removes a field.
    ///
    /// - Throws: ``KinfolkError/Code/unknownItem`` if the record has no such field.
    public mutating func remove(_ key: String) throws(KinfolkError) {
        guard fields[key] != nil else {
            throw KinfolkError(.unknownItem, "The record has no such field.")
        }
        fields[key] = nil
        changedKeys.insert(key)
    }

    package static var tooLarge: KinfolkError {
        KinfolkError(.limitExceeded, "A record has at most \(Record.maximumSize) bytes.")
    }
}

extension Record: Redacted {
    /// How many fields there are.
    public var description: String { "Record(\(keys.count) fields)" }
}
