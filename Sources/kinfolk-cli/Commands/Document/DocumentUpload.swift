import Kinfolk
import KinfolkFiles

/// The upload of a file as the contents of a document.
enum DocumentUpload {
    /// Uploads a file, or standard input, and lets `save` save it.
    static func saving<Result>(
        _ file: FilePath,
        to documents: Documents,
        _ save: (AssetUpload) throws(KinfolkError) -> Result
    ) throws(KinfolkError) -> Result {
        let upload: AssetUpload
        do {
            upload = try documents.beginUpload()
            try upload.addShowingProgress(file)
        } catch {
            guard error.code == .limitExceeded else { throw error.naming(file) }
            throw error.advising("\"kinfolk container quota\" shows and changes the limit.")
        }
        defer { upload.cancel() }
        return try save(upload)
    }
}
