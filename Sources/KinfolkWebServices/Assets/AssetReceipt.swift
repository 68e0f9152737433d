import Kinfolk
import KinfolkCrypto

/// The receipt of an uploaded file, with which a record names it: its ID, its size and its hash, in base64.
///
/// It is no secret. The library decides who may name and read an asset.
enum AssetReceipt {
    static let length = RandomID.length + 8 + SHA256.length

    static func bytes(of asset: Asset) -> [UInt8] {
        asset.id.bytes + withUnsafeBytes(of: Int64(asset.size).bigEndian, Array.init) + asset.sha256
    }

    static func text(of asset: Asset) -> String { Base64.text(bytes(of: asset)) }

    /// The asset with a receipt, in a zone. Nil if no asset has it.
    static func asset(_ receipt: String, zone: String) -> Asset? {
        Base64.bytes(receipt).flatMap { asset($0, zone: zone) }
    }

    static func asset(_ bytes: [UInt8], zone: String) -> Asset? {
        guard bytes.count == length,
            let id = bytes.prefix(RandomID.length).withUnsafeBytes(RandomID.init(bytes:)),
            let size = Int(exactly: bytes.dropFirst(RandomID.length).prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
        else { return nil }
        return Asset(id: id, zone: zone, size: size, sha256: Array(bytes.suffix(SHA256.length)))
    }
}
