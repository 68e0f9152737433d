/// A request of a client, as the transport has read it.
public struct WebRequest: Sendable {
    /// The head of a request: everything but its body.
    public struct Head: Sendable {
        /// `GET`, `POST`, `OPTIONS` and so on.
        public let method: String
        /// The path as it was sent, percent-encoded, without the query.
        public let path: String
        /// The query as it was sent, without the question mark; empty if there is none.
        public let query: String
        /// The headers in the order of the request, with names in lower case.
        public let headers: [(name: String, value: String)]
        /// The address of the client: that of the connection, or the one that a trusted proxy reports. For limits only; it is never stored.
        public let client: String
        /// Whether the connection is one of a trusted proxy, so that its headers about the person count.
        public let isFromTrustedProxy: Bool

        public init(
            method: String,
            path: String,
            query: String = "",
            headers: [(name: String, value: String)] = [],
            client: String = "",
            isFromTrustedProxy: Bool = false
        ) {
            self.method = method
            self.path = path
            self.query = query
            self.headers = headers
            self.client = client
            self.isFromTrustedProxy = isFromTrustedProxy
        }

        /// The value of the first header with this name, which is in lower case.
        func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
    }

    public let head: Head
    public let body: [UInt8]

    public init(_ head: Head, body: [UInt8] = []) {
        self.head = head
        self.body = body
    }
}
