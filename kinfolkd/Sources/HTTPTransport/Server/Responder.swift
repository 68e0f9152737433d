public import KinfolkWebServices

/// What answers the requests of a server.
public protocol Responder: Sendable {
    /// What to do with the body of a request. Returns at once, on the thread of the connection.
    func intake(for head: WebRequest.Head) -> WebIntake

    /// Answers a request whose body was read. The completion may be called on any thread.
    func answer(_ request: WebRequest, _ completion: @escaping @Sendable (WebResponse) -> Void)
}

extension WebServices: Responder {}
