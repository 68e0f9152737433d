import Kinfolk
import KinfolkCrypto
import KinfolkJSON
import KinfolkThreads

/// A file that a client sends to an upload URL. Nothing is looked up before the first piece has come.
final class UploadedFile: WebUpload {
    private enum State {
        case waiting
        case open(AssetUpload)
        case over
    }

    private let request: AssetRequest
    private let state = Lock(State.waiting)

    init(_ request: AssetRequest) { self.request = request }

    private var services: WebServices { request.services }

    /// The answer with the headers for the page that sends the file.
    private func finished(_ response: WebResponse) -> WebResponse {
        CrossOrigin(request.head, services).finished(response)
    }

    /// The upload; begun with the first call.
    private func upload() throws(WebError) -> AssetUpload {
        switch state.withLock({ $0 }) {
        case .open(let upload): return upload
        case .over: throw WebError(.notFound, "The upload has ended.")
        case .waiting: break
        }
        let upload = try request.upload()
        let isOver = state.withLock { state in
            if case .over = state { return true }
            state = .open(upload)
            return false
        }
        if isOver { upload.cancel() }
        return upload
    }

    func write(_ bytes: [UInt8], _ completion: @escaping @Sendable (WebResponse?) -> Void) {
        services.workers.run { [self] in
            do throws(WebError) {
                let upload = try upload()
                try calling { () throws(KinfolkError) in try upload.write(bytes) }
                completion(nil)
            } catch { completion(finished(WebResponse(error))) }
        }
    }

    func finish(_ completion: @escaping @Sendable (WebResponse) -> Void) {
        services.workers.run { [self] in
            do throws(WebError) {
                let upload = try upload()
                let asset = try calling { () throws(KinfolkError) in try upload.finishApart() }
                completion(finished(WebResponse(UploadedFile.answer(asset))))
            } catch { completion(finished(WebResponse(error))) }
        }
    }

    func cancel() {
        let ended = state.withLock { state in
            defer { state = .over }
            return state
        }
        guard case .open(let upload) = ended else { return }
        services.workers.run { upload.cancel() }
    }

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
