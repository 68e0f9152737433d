import KinfolkCrypto

/// The ID of a record, unique within a database: a name, and the zone that holds the record.
///
/// ```swift
/// let id = try RecordID("settings")
/// let note = try database.fetch(id)
/// let other = try RecordID("settings", zone: "Notes")
/// ```
public struct RecordID: Hashable, Sendable {
    /// The zone that every database has.
    public static let defaultZone = RecordZone.defaultName

    /// The record name: 1 to 255 printable ASCII characters. Names that begin with `_` are reserved: a user record's name is its user
    /// record ID.
    public let name: String

    /// The name of the zone.
    public let zone: String

    /// An ID in the default zone, whose name is a new random UUID.
    public init() {
        self.init(valid: RecordID.uuid())
    }

    /// An ID in a zone, whose name is a new random UUID.
    ///
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if the name of the zone is malformed.
    public init(zone: String) throws(KinfolkError) {
        try ZoneName.validate(zone)
        self.init(valid: RecordID.uuid(), zone: zone)
    }

    /// The ID of a record with a name of the caller's choice.
    ///
    /// - Parameter zone: The name of the zone that holds the record.
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if the name is not 1 to 255 printable ASCII characters, or begins with `_`
    ///   and is not a user record ID in the default zone, or if the name of the zone is malformed.
    public init(_ name: String, zone: String = RecordID.defaultZone) throws(KinfolkError) {
        guard (1...255).contains(name.utf8.count), name.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else {
            throw KinfolkError(.invalidArgument, "A record name has 1 to 255 printable ASCII characters.")
        }
        try ZoneName.validate(zone)
        self.init(valid: name, zone: zone)
        guard name.utf8.first != UInt8(ascii: "_") || user != nil else {
            throw KinfolkError(.invalidArgument, "Record names that begin with _ are reserved.")
        }
    }

    /// The ID of a user record.
    public init(_ user: UserRecordID) { self.init(valid: user.description) }

    package init(valid name: String, zone: String = RecordID.defaultZone) {
        self.name = name
        self.zone = zone
    }

    /// The user record ID, if this is the ID of a user record. All user records are in the default zone.
    public var user: UserRecordID? {
        guard name.utf8.first == UInt8(ascii: "_"), zone == RecordID.defaultZone else { return nil }
        return try? UserRecordID(name)
    }

    /// A random UUID (RFC 9562, version 4), in capitals as Apple writes them.
    private static func uuid() -> String {
        var bytes = SecureRandom.bytes(16)
        bytes[6] = bytes[6] & 0x0f | 0x40
        bytes[8] = bytes[8] & 0x3f | 0x80
        let digits = Hexadecimal.text(bytes).uppercased()
        var text = ""
        text.reserveCapacity(36)
        for (position, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(position) { text.append("-") }
            text.append(digit)
        }
        return text
    }
}

extension RecordID: Redacted {}
