/// A file that belongs to a field of a record: a photo, a sound, a document.
///
/// A record holds only what is here. The file itself is stored in sealed chunks, and is read with the database.
///
/// ```swift
/// try note.set("photo", to: .asset(database.upload(file: "photo.jpg")))
/// note = try database.save(note)
/// if case .asset(let photo)? = note["photo"] { try database.save(photo, to: "copy.jpg") }
/// ```
///
/// Several records of the same zone may have the same asset. It is deleted with the last of them.
public struct Asset: Sendable, Hashable {
    /// How many bytes the file has.
    public let size: Int

    /// The SHA-256 (FIPS 180-4) of the file: 32 bytes.
    public let sha256: [UInt8]

    /// Under which the store finds it in its zone.
    package let id: RandomID

    /// The zone to whose records it can belong.
    package let zone: String

    package init(id: RandomID, zone: String, size: Int, sha256: [UInt8]) {
        self.id = id
        self.zone = zone
        self.size = size
        self.sha256 = sha256
    }

    /// How many bytes it takes in a record.
    package static let length = RandomID.length + 8 + hashLength

    /// The length of a SHA-256.
    package static let hashLength = 32
}

extension Asset: Redacted {
    /// The size.
    public var description: String { "Asset(\(size) bytes)" }
}
