/// A record: a type, an ID and fields.
///
/// A record is a value: changing it changes nothing in the store until it is saved. It has at most 1,000 fields and a size of at
/// most ``maximumSize``.
///
/// ```swift
/// var note = try Record(type: "Note")
/// try note.set("title", to: .string("Groceries"))
/// note = try database.save(note)
/// ```
public struct Record: Sendable, Hashable {
    /// The maximum size of a record: the bytes of the names and values of its fields. Each text or byte string in a list counts
    /// four more. A reference and the parent count the bytes of the target's name and four more, a reference to a user record 16.
    public static let maximumSize = 1_000_000

    /// The maximum number of fields in a record, which is also the maximum for a record type.
    package static let maximumFields = 1_000

    /// The class of the record: `Users` for user records.
    public let type: String

    /// The name in ``changedKeys`` that stands for ``parent``. No field can have it.
    public static let parentKey = "___parent"

    /// The record's name and zone.
    public let id: RecordID

    /// The database from which the record was fetched, or in which it was saved; nil for a new record.
    public var database: DatabaseScope? { state?.home.database }

    /// Distinguishes one state of the record from another: an opaque text. Nil for a new record.
    public var changeTag: String? { state?.changeTag.text }

    /// When the record was first saved; for a user record the day on which the person first used the container. Nil for a new record.
    public var createdAt: Timestamp? { state?.createdAt }

    /// When the record was last saved; nil for a new record.
    public var modifiedAt: Timestamp? { state?.modifiedAt }

    /// The user who created the record; nil for a new record, and if the creator was erased and the record kept.
    public var createdBy: UserRecordID? { state?.creator }

    /// The user who saved the record last; nil like ``createdBy``.
    public var modifiedBy: UserRecordID? { state?.modifier }

    /// What the store maintains.
    package struct State: Sendable, Hashable {
        package let home: RecordHome
        package let changeTag: ChangeTag
        package let createdAt: Timestamp
        package let modifiedAt: Timestamp
        package let creator: UserRecordID?
        package let modifier: UserRecordID?

        package init(
            home: RecordHome,
            changeTag: ChangeTag,
            createdAt: Timestamp,
            modifiedAt: Timestamp,
            creator: UserRecordID?,
            modifier: UserRecordID?
        ) {
            self.home = home
            self.changeTag = changeTag
            self.createdAt = createdAt
            self.modifiedAt = modifiedAt
            self.creator = creator
            self.modifier = modifier
        }
    }

    /// Nil for a record that was not fetched or saved yet.
    package let state: State?
    package private(set) var fields: Fields

    /// A reference to the record to which this one belongs, in the same zone; nil if there is none. Its action is `none`: the parent
    /// need not exist, and its deletion does not delete this record.
    public private(set) var parent: Reference?

    /// The fields that were set or removed since the record was fetched. ``parentKey`` is among them if the parent was.
    public private(set) var changedKeys: Set<String> = []

    /// A new record.
    ///
    /// - Parameters:
    ///   - type: The record type: 1 to 255 ASCII letters, digits and `_`, starting with a letter. It need not exist yet.
    ///   - id: The record's ID; a random one if it is left out.
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if the type's name is malformed.
    public init(type: String, id: RecordID = RecordID()) throws(KinfolkError) {
        try RecordType.validate(type)
        self.init(type: type, id: id, state: nil, fields: Fields())
    }

    package init(type: String, id: RecordID, state: State?, parent: RecordID? = nil, fields: Fields) {
        self.type = type
        self.id = id
        self.state = state
        self.parent = parent.map { Reference(valid: $0, action: .none) }
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
        guard fields.count < Record.maximumFields || fields[key] != nil else {
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

    /// Sets the parent, or removes it with nil.
    ///
    /// - Throws: ``KinfolkError/Code/invalidArgument`` for a user record.
    public mutating func setParent(_ id: RecordID?) throws(KinfolkError) {
        if let id {
            guard id.user == nil else { throw KinfolkError(.invalidArgument, "A user record cannot be a parent.") }
        }
        parent = id.map { Reference(valid: $0, action: .none) }
        changedKeys.insert(Record.parentKey)
    }

    /// Sets the parent, which need not be saved yet.
    ///
    /// - Throws: ``KinfolkError/Code/invalidArgument`` for a user record.
    public mutating func setParent(_ record: Record) throws(KinfolkError) { try setParent(record.id) }

    /// How many bytes the record has, counted as for ``maximumSize``.
    package var size: Int { Record.size(of: fields, parent?.target) }

    package static func size(of fields: Fields, _ parent: RecordID?) -> Int {
        fields.size + (parent.map { $0.name.utf8.count + 4 } ?? 0)
    }

    package static var tooLarge: KinfolkError {
        KinfolkError(.limitExceeded, "A record has at most \(Record.maximumSize) bytes.")
    }
}

extension Record: Redacted {
    /// How many fields there are.
    public var description: String { "Record(\(keys.count) fields)" }
}
