import Kinfolk
import KinfolkThreads

/// The client's half of a private discovery, which sees the contact book and never the store. It exchanges all messages with the
/// server's half through two pipes.
struct PrivateConversation {
    private let requests: PrivateLine
    private let answers: PrivateLine
    private let server: PrivateServer
    /// How many bytes of messages went each way.
    private(set) var sent = 0
    private(set) var received = 0

    /// Starts the server's half on a thread of its own.
    init(with session: Session) throws(KinfolkError) {
        requests = try PrivateLine()
        answers = try PrivateLine()
        server = PrivateServer(session: session, requests: requests, answers: answers)
        guard Thread.start(server.run) else {
            throw KinfolkError(.serviceUnavailable, "The system could not start a thread.")
        }
    }

    /// Ends both halves, at any point of the conversation.
    func end() {
        requests.end()
        // The server may be blocked: nobody reads its last answer, which may not fit into the pipe.
        while (try? answers.receive()) != nil {}
        server.join()
    }

    /// Sends the client's requests until the discovery is complete.
    mutating func run(_ client: inout PrivateDiscoveryClient) throws(KinfolkError) {
        while let request = try client.nextRequest() {
            try client.receive(ask(PrivateServer.Kind.message, request)?.bytes ?? [])
        }
    }

    /// The people with their names. The server learns who they are.
    mutating func name(_ matches: [PrivateMatch]) throws(KinfolkError) -> [DiscoveredIdentity] {
        var identities: [DiscoveredIdentity] = []
        for match in matches {
            let answer = try ask(PrivateServer.Kind.name, Array(match.userRecordID.description.utf8))
            guard let answer, answer.kind == PrivateServer.Kind.name else { continue }
            let parts = answer.bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
            let names = parts.map { String(decoding: $0, as: UTF8.self) }
            let name = PersonName(givenName: names.first ?? "", familyName: names.last ?? "")
            identities.append(DiscoveredIdentity(match, name: name))
        }
        return identities
    }

    private mutating func ask(_ kind: UInt8, _ bytes: [UInt8]) throws(KinfolkError) -> (kind: UInt8, bytes: [UInt8])? {
        sent += bytes.count
        try requests.send(kind, bytes)
        guard let answer = try answers.receive() else { return nil }
        received += answer.bytes.count
        guard answer.kind != PrivateServer.Kind.failure else { throw PrivateServer.error(answer.bytes) }
        return answer
    }
}
