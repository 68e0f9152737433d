import Kinfolk
import KinfolkCrypto
import KinfolkJSON
import KinfolkThreads

/// A file that a client sends to an upload URL.
final class UploadedFile: WebUpload {
    private let upload: AssetUpload
    private let pages: CrossOrigin
    private let workers: WorkerPool

    init(_ upload: AssetUpload, _ pages: CrossOrigin, _ workers: WorkerPool) {
        (self.upload, self.pages, self.workers) = (upload, pages, workers)
    }

    func write(_ bytes: [UInt8], _ completion: @escaping @Sendable (WebResponse?) -> Void) {
        workers.run { [upload, pages] in
            do throws(KinfolkError) {
                try upload.write(bytes)
                completion(nil)
            } catch { completion(pages.finished(WebResponse(WebError(error)))) }
        }
    }

    func finish(_ completion: @escaping @Sendable (WebResponse) -> Void) {
        workers.run { [upload, pages] in
            do throws(KinfolkError) {
                let asset = try upload.finish()
                completion(pages.finished(WebResponse(UploadedFile.answer(asset))))
            } catch { completion(pages.finished(WebResponse(WebError(error)))) }
        }
    }

    func cancel() { workers.run { [upload] in upload.cancel() } }

    /// The dictionary that becomes the value of a field. The file is sealed by the store, and not by the client: the keys for that are
    /// there because clients expect them.
    private static func answer(_ asset: Asset) -> JSON {
        let checksum = Base64.text(asset.sha256)
        return [
            "singleFile": [
                "wrappingKey": .string(Base64.text(asset.id.bytes)), "fileChecksum": .string(checksum),
                "receipt": .string(AssetReceipt.text(of: asset)), "referenceChecksum": .string(checksum),
                "size": .count(asset.size),
            ]
        ]
    }
}
