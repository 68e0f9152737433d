/// A group of records in one database.
///
/// Every database has the zone `_defaultZone`. Custom zones exist in private databases. They add change tracking: another session
/// or device asks for the changes since its last visit.
///
/// ```swift
/// let zone = try database.save(RecordZone("Notes"))
/// let note = try Record(type: "Note", id: RecordID(zone: zone.name))
/// ```
public struct RecordZone: Hashable, Sendable {
    /// The name of the zone that every database has.
    public static let defaultName = "_defaultZone"

    /// The zone that every database has.
    public static let `default` = RecordZone(valid: defaultName)

    /// The name, unique within a database.
    public let name: String

    /// A custom zone. It exists in a database after it was saved there.
    ///
    /// - Parameter name: 1 to 255 printable ASCII characters, of which the first is not `_`.
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if the name is malformed or reserved.
    public init(_ name: String) throws(KinfolkError) {
        try ZoneName.validate(custom: name)
        self.init(valid: name)
    }

    package init(valid name: String) { self.name = name }

    /// Whether it is the zone that every database has.
    public var isDefault: Bool { name == RecordZone.defaultName }
}

extension RecordZone: Redacted {}
