/// A person's name, as the person gave it. Either part may be empty.
public struct PersonName: Hashable, Sendable {
    /// The maximum length of either part, in bytes of UTF-8.
    public static let maximumLength = 1_024

    /// The given name; may be empty.
    public var givenName: String
    /// The family name; may be empty.
    public var familyName: String

    /// Creates a name. Either part may be left out.
    public init(givenName: String = "", familyName: String = "") {
        self.givenName = givenName
        self.familyName = familyName
    }
}

extension PersonName {
    package func validate() throws(KinfolkError) {
        guard max(givenName.utf8.count, familyName.utf8.count) <= PersonName.maximumLength else {
            throw KinfolkError(.limitExceeded, "A name has at most \(PersonName.maximumLength) bytes.")
        }
    }

    /// The bytes to seal: the length of the given name (two bytes, little-endian), the given name, the family name.
    package var bytes: [UInt8] {
        let length = UInt16(truncatingIfNeeded: givenName.utf8.count)
        return [UInt8(length & 0xff), UInt8(length >> 8)] + Array(givenName.utf8) + Array(familyName.utf8)
    }

    package init(bytes: [UInt8]) {
        guard bytes.count >= 2 else {
            self.init()
            return
        }
        let split = min(2 + Int(bytes[0]) + Int(bytes[1]) << 8, bytes.count)
        self.init(
            givenName: String(decoding: bytes[2..<split], as: UTF8.self),
            familyName: String(decoding: bytes[split...], as: UTF8.self)
        )
    }
}

extension PersonName: Redacted {}
