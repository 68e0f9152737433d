import Kinfolk

/// Who sends a request.
struct Caller: Sendable {
    /// How a request proves who it is from.
    enum Kind: Sendable {
        /// An application, by its API token. It may read the public database.
        case application
        /// A person who has signed in to an application.
        case person
        /// A server, by its key. It may use the public database.
        case server
    }

    /// By what it has proved who it is.
    let credential: Credential
    let session: Session
    /// The user of the session; nil for an application.
    let user: UserRecordID?
    /// Stands for the API token or the server key in limits.
    let applicationKey: String
    /// Whether the caller may look for other users.
    let mayDiscover: Bool
    /// The token of the application; nil for a server.
    var apiToken: APIToken?
    /// The origin of the page that sends the request; nil if no page does.
    var origin: String?
    /// When the person last proved who they are; nil for an application and a server.
    var signedInAt: Timestamp?
    /// A new web auth token, which the answer gives to the client.
    var renewedToken: String?

    var kind: Kind {
        switch credential {
        case .apiToken: .application
        case .webSession: .person
        case .serverKey: .server
        }
    }
}
