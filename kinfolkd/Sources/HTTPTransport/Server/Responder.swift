public import KinfolkWebServices

/// What answers the requests of a server.
public protocol Responder: Sendable {
    /// What to do with the body of a request. Returns at once, on the thread of the connection.
    func intake(for head: WebRequest.Head) -> WebIntake

    /// Finds out who sends a body that strangers may not send. The completion may be called on any thread.
    func admit(_ head: WebRequest.Head, _ completion: @escaping @Sendable (WebAdmission) -> Void)

    /// Answers a request whose body was read. The completion may be called on any thread.
    func answer(_ request: WebRequest, _ completion: @escaping @Sendable (WebResponse) -> Void)
}

extension WebServices: Responder {}
