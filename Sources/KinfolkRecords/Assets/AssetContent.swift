package import KinfolkCrypto
package import KinfolkModel

/// What the store keeps sealed of an asset: a version (one byte, 1), flags (one byte: 1 if it is complete, 2 if the user was erased), the key of
/// its chunks (32 bytes), the user for whom it counts (16 bytes; zeros for none), its size (8 bytes, little-endian) and its SHA-256 (32 bytes).
package struct AssetContent: Sendable {
    private static let version: UInt8 = 1
    private static let length = 2 + SecretKey.length + RandomID.length + 8 + SHA256.length

    package let key: ChunkKey
    private let secret: SecretKey
    /// Nil in a private database, and if the user was erased.
    package var creator: UserRecordID?
    /// A random ID for which the bytes count if the user was erased and a record of somebody else has the asset: see `CreatorDebts`.
    package var erasedCreator: UserRecordID?
    /// Nil until the upload is complete.
    package var file: (size: Int, sha256: [UInt8])?

    /// The content of a new upload, with a random key.
    init(creator: UserRecordID?) throws {
        secret = try SecretKey.random()
        key = ChunkKey(secret)
        self.creator = creator
    }

    /// For whom the bytes of an asset in the public database count.
    package var countedCreator: UserRecordID? { creator ?? erasedCreator }

    init(wiping content: inout [UInt8]) throws {
        defer { content.withUnsafeMutableBytes(wipe) }
        guard content.count == AssetContent.length, content[0] == AssetContent.version else {
            throw KinfolkError.damaged("An asset cannot be read.")
        }
        (secret, creator, erasedCreator, file) = try content.withUnsafeBytes { bytes in
            func part(_ start: Int, _ count: Int) -> UnsafeRawBufferPointer {
                UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])
            }
            let user = RandomID(bytes: part(34, RandomID.length)).flatMap { $0.tag == Tag() ? nil : UserRecordID($0) }
            let isErased = bytes[1] & 2 != 0
            let size = Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: 50, as: Int64.self))
            return (
                try SecretKey(copying: part(2, SecretKey.length)),
                isErased ? nil : user,
                isErased ? user : nil,
                bytes[1] & 1 != 0 && size >= 0 ? (Int(size), Array(part(58, SHA256.length))) : nil
            )
        }
        key = ChunkKey(secret)
    }

    /// The content to be sealed. The caller wipes it.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(AssetContent.length)
        bytes += [AssetContent.version, (file == nil ? 0 : 1) | (creator == nil && erasedCreator != nil ? 2 : 0)]
        secret.withUnsafeBytes { bytes += $0 }
        bytes += countedCreator?.value.bytes ?? Tag().bytes
        withUnsafeBytes(of: Int64(file?.size ?? 0).littleEndian) { bytes += $0 }
        bytes += file?.sha256 ?? [UInt8](repeating: 0, count: SHA256.length)
        return bytes
    }
}
