import Kinfolk
import KinfolkCrypto
import KinfolkJSON
import KinfolkThreads

/// A file that a client sends to an upload URL. Nothing is looked up before the first piece has come.
final class UploadedFile: WebUpload {
    private enum State {
        case waiting
        case open(AssetUpload, Ticket)
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
    private func upload() throws(WebError) -> (upload: AssetUpload, ticket: Ticket) {
        switch state.withLock({ $0 }) {
        case .open(let upload, let ticket): return (upload, ticket)
        case .over: throw WebError(.notFound, "The upload has ended.")
        case .waiting: break
        }
        let (upload, ticket) = try request.upload()
        let isOver = state.withLock { state in
            if case .over = state { return true }
            state = .open(upload, ticket)
            return false
        }
        if isOver { upload.cancel() }
        return (upload, ticket)
    }

    func write(_ bytes: [UInt8], _ completion: @escaping @Sendable (WebResponse?) -> Void) {
        run(orRefuse: completion) { [self] in
            do throws(WebError) {
                let upload = try upload().upload
                try calling { () throws(KinfolkError) in try upload.write(bytes) }
                completion(nil)
            } catch { completion(finished(WebResponse(error))) }
        }
    }

    func finish(_ completion: @escaping @Sendable (WebResponse) -> Void) {
        run(orRefuse: completion) { [self] in
            do throws(WebError) {
                let (upload, ticket) = try upload()
                // The caller may have signed out meanwhile.
                let asset = try calling { () throws(KinfolkError) in
                    _ = try ticket.validContainer(services)
                    return try upload.finishApart()
                }
                completion(finished(WebResponse(UploadedFile.answer(asset))))
            } catch {
                cancel()
                completion(finished(WebResponse(error)))
            }
        }
    }

    func cancel() {
        let ended = state.withLock { state in
            defer { state = .over }
            return state
        }
        guard case .open(let upload, _) = ended else { return }
        services.janitor.run { upload.cancel() }
    }

    /// Runs a step. Only the first one, which begins the upload, can be refused.
    private func run(orRefuse completion: (WebResponse) -> Void, _ body: @escaping @Sendable () -> Void) {
        let isBegun = if case .waiting = state.withLock({ $0 }) { false } else { true }
        let hasRoom = services.workers.run(for: services.senders.sender(of: request.head), isBegun: isBegun) {
            body()
            return 0
        }
        if !hasRoom { completion(finished(WebResponse(WebServices.crowd))) }
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
