import Kinfolk

/// A long poll: `/courier/1/TICKET`, perhaps with `?acknowledged=` and the ID of the last notification that the client has handled.
struct CourierRequest {
    private static let root = "/courier/1/"

    private let services: WebServices
    private let ticket: String
    private let acknowledged: String?

    /// Nil if the path is not that of a long poll.
    init?(_ head: WebRequest.Head, _ services: WebServices) {
        guard CourierRequest.isPath(head.path), ["GET", "POST"].contains(head.method) else { return nil }
        self.services = services
        ticket = String(head.path.dropFirst(CourierRequest.root.count))
        acknowledged = QueryItems(head.query)["acknowledged"]
    }

    static func isPath(_ path: String) -> Bool { path.hasPrefix(root) }

    func answer(_ completion: @escaping @Sendable (WebResponse) -> Void) {
        let nothing = WebResponse(WebError(.notFound, "There is no such device, or the URL has expired."))
        let last = acknowledged.flatMap { NotificationWriter.id($0) }
        guard acknowledged == nil || last != nil else {
            return completion(WebResponse(WebError.malformed("acknowledged", "the ID of a notification")))
        }
        do throws(KinfolkError) {
            guard let ticket = try Ticket(ticket, for: .courier, services.service) else { return completion(nothing) }
            let session = try Courier.session(of: ticket, services)
            NotificationPoll.start(session, by: ticket.credential, acknowledging: last, services, completion)
        } catch {
            completion(
                error.code == .unknownItem || error.code == .notAuthenticated ? nothing : WebResponse(WebError(error))
            )
        }
    }
}
