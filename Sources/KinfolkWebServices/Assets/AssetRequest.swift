import Kinfolk

/// A request to the URL of a file: `/asset/1/TICKET`.
struct AssetRequest: Sendable {
    private static let root = "/asset/1/"

    let services: WebServices
    let head: WebRequest.Head
    private var method: String { head.method }
    private let ticket: String

    static func isPath(_ path: String) -> Bool { path.hasPrefix(root) }

    /// Nil if the path is not that of a file.
    init?(_ head: WebRequest.Head, _ services: WebServices) {
        guard AssetRequest.isPath(head.path) else { return nil }
        self.services = services
        self.head = head
        ticket = String(head.path.dropFirst(AssetRequest.root.count))
    }

    /// Clients send files with either method.
    var isUpload: Bool { method == "POST" || method == "PUT" }

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

    /// Begins to store the file that the client sends.
    func upload() throws(WebError) -> (upload: AssetUpload, ticket: Ticket) {
        let (database, ticket) = try database(.upload)
        let zone = String(decoding: ticket.subject, as: UTF8.self)
        let upload = try calling { () throws(KinfolkError) in
            zone == ReservedZone.documents.name
                ? try database.beginUpload(to: .documents) : try database.beginUpload(zone: zone)
        }
        return (upload, ticket)
    }

    /// The answer with the file.
    func download() -> WebResponse {
        do throws(WebError) {
            guard method == "GET" else { throw AssetRequest.nothing }
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
                body: .file(StoredFile(reader, services, services.senders.sender(of: head), ticket))
            )
        } catch { return WebResponse(error) }
    }
}
