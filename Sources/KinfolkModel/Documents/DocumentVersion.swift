/// One version of a document: what somebody saved on a device.
public struct DocumentVersion: Sendable, Hashable {
    /// The ID of the version: 32 lower-case hexadecimal digits. No other version has it.
    public let id: String

    /// How many bytes it has.
    public var size: Int { asset.size }

    /// The SHA-256 (FIPS 180-4) of its contents: 32 bytes.
    public var sha256: [UInt8] { asset.sha256 }

    /// When it was saved.
    public let savedAt: Timestamp

    /// The name of the device that saved it; nil for a session without a device's name.
    public let device: String?

    /// The contents.
    package let asset: Asset

    package init(id: String, asset: Asset, savedAt: Timestamp, device: String?) {
        (self.id, self.asset, self.savedAt, self.device) = (id, asset, savedAt, device)
    }
}

extension DocumentVersion: Redacted {
    /// The size.
    public var description: String { "DocumentVersion(\(size) bytes)" }
}
