/// The answer to a request.
public struct WebResponse: Sendable {
    /// What follows the headers.
    public enum Body: Sendable {
        case bytes([UInt8])
        /// A file of known size, which is read in pieces.
        case file(any WebFile)
        /// Pieces that come until the stream or the connection ends.
        case events(any WebEvents)
    }

    /// The HTTP status.
    public var status: Int
    /// Names in lower case. The transport adds `content-length`, `date` and what concerns the connection.
    public var headers: [(name: String, value: String)]
    public var body: Body
    /// What the transport calls when all of the answer was given to the connection of the client, and not for the method HEAD.
    public var whenSent: (@Sendable () -> Void)?

    public init(status: Int = 200, headers: [(name: String, value: String)] = [], body: Body = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
