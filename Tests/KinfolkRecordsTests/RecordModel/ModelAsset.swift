import Kinfolk
import KinfolkCrypto

/// An asset as it is in the store of the model, also while it is being uploaded.
struct ModelAsset {
    /// The length of every chunk but the last one, before it is sealed.
    static let chunkLength = 256 << 10
    /// What an upload writes in one transaction: four chunks.
    static let partLength = 4 * chunkLength
    /// After how many seconds it is deleted unless a record names it.
    static let patience = 86_400.0

    /// Nil in a private database, and if the user was erased.
    var uploader: UserRecordID?
    /// What is stored of the file.
    var content: [UInt8]
    /// Whether the upload is finished.
    var isComplete: Bool
    /// What the product returned for it. Nil until the upload is finished.
    var file: Asset?
    /// Nil once a record has named it.
    var expiresAt: Timestamp?

    /// How many chunks it has. An empty file has one.
    var chunks: Int { max(1, (content.count + ModelAsset.chunkLength - 1) / ModelAsset.chunkLength) }

    /// The bytes that count for the quotas: those of the sealed chunks, and of the sealed key, uploader, size and SHA-256.
    var bytes: Int {
        let last = content.count - (chunks - 1) * ModelAsset.chunkLength
        let padded = !isComplete ? last : max(1, (last + 4_095) / 4_096) * 4_096
        return chunks * ModelAsset.sealOfChunk + (chunks - 1) * ModelAsset.chunkLength + padded + ModelAsset.sealedRow
    }

    /// A nonce and an authentication code.
    private static let sealOfChunk = 24 + 16
    private static let sealedRow = SealingKey.sealedLength(of: 2 + 32 + 16 + 8 + 32)
}
