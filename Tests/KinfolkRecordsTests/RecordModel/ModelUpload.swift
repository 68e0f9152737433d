import Kinfolk

/// A file that a caller of the model is uploading.
struct ModelUpload {
    let caller: RecordModel.Caller
    let scope: DatabaseScope
    let zone: String
    /// Where the model stores it, once it has stored a part.
    var number: Int?
    var content: [UInt8] = []
    var hasEnded = false
    /// The asset, after the upload was finished.
    var file: Asset?
    /// When the store forgets what it has, after the last piece.
    var expiresAt: Timestamp?
}
