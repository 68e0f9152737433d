import Kinfolk

/// A request to the URL of a file: `/asset/1/TICKET`.
struct AssetRequest {
    private static let root = "/asset/1/"

    let services: WebServices
    private let method: String
    private let ticket: String

    /// Nil if the path is not that of a file.
    init?(_ head: WebRequest.Head, _ services: WebServices) {
        guard head.path.hasPrefix(AssetRequest.root) else { return nil }
        self.services = services
        method = head.method
        ticket = String(head.path.dropFirst(AssetRequest.root.count))
    }

    func intake(_ pages: CrossOrigin) -> WebIntake {
        do throws(WebError) {
            switch method {
            case "GET": return .answer(pages.finished(try download()))
            // Clients send files with either method.
            case "POST", "PUT": return .upload(try upload(pages))
            default: throw AssetRequest.nothing
            }
        } catch { return .answer(pages.finished(WebResponse(error))) }
    }

    private static var nothing: WebError { WebError(.notFound, "There is no such file, or the URL has expired.") }

    private func database(_ purpose: Ticket.Purpose) throws(WebError) -> (database: Database, ticket: Ticket) {
        do throws(KinfolkError) {
            guard let ticket = try Ticket(self.ticket, for: purpose, services.service) else { throw AssetRequest.none }
            return (try ticket.database(services), ticket)
        } catch {
            throw error.code == .unknownItem || error.code == .notAuthenticated ? AssetRequest.nothing : WebError(error)
        }
    }

    private static var none: KinfolkError { KinfolkError(.unknownItem, "The URL is not valid.") }

    private func upload(_ pages: CrossOrigin) throws(WebError) -> UploadedFile {
        let (database, ticket) = try database(.upload)
        let zone = String(decoding: ticket.subject, as: UTF8.self)
        let upload = try calling { () throws(KinfolkError) in try database.beginUpload(zone: zone) }
        return UploadedFile(upload, pages, services.workers)
    }

    private func download() throws(WebError) -> WebResponse {
        let (database, ticket) = try database(.download)
        let zone = String(decoding: ticket.subject.dropFirst(AssetReceipt.length), as: UTF8.self)
        guard let asset = AssetReceipt.asset(Array(ticket.subject.prefix(AssetReceipt.length)), zone: zone) else {
            throw AssetRequest.nothing
        }
        let reader = try calling { () throws(KinfolkError) in try database.reader(of: asset) }
        return WebResponse(
            headers: [
                ("content-type", "application/octet-stream"), ("content-disposition", "attachment"),
                ("content-security-policy", "sandbox; default-src 'none'"),
                ("cross-origin-resource-policy", "cross-origin"),
            ] + WebResponse.privateHeaders,
            body: .file(StoredFile(reader, services.workers))
        )
    }
}
