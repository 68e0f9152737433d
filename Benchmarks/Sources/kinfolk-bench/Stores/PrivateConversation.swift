import Kinfolk

/// A private discovery with client and server in this process, each on one thread. It counts the transferred bytes.
struct PrivateConversation {
    private(set) var client: PrivateDiscoveryClient
    private let session: Session
    /// The bytes of points, of buckets, and of all messages, in both directions.
    private(set) var batchBytes = 0
    private(set) var bucketBytes = 0
    private(set) var allBytes = 0

    init(_ book: Int, _ session: Session, publicKeys: [[UInt8]] = [], state: [UInt8] = []) throws {
        self.session = session
        client = try PrivateDiscoveryClient(
            container: PeopleStore.container,
            publicKeys: publicKeys,
            state: state,
            threads: 1
        )
        var contacts = ContactBook()
        _ = try contacts.add(BookText.make(book, of: PrivateDirectory.size), as: .list)
        client.setContacts(contacts)
    }

    /// Continues up to the first request of a kind, which is not sent.
    mutating func proceed(to kind: PrivateMessage.Kind) throws {
        while let request = try client.nextRequest(), PrivateMessage(request).kind != kind { try exchange(request) }
    }

    mutating func finish() throws { while let request = try client.nextRequest() { try exchange(request) } }

    /// Requests the description of the directory, so that contacts can be blinded.
    mutating func begin() throws { if let request = try client.nextRequest() { try exchange(request) } }

    private mutating func exchange(_ request: [UInt8]) throws {
        let answer = try session.answer(request)
        try client.receive(answer)
        let count = request.count + answer.count
        allBytes += count
        switch PrivateMessage(request).kind {
        case .evaluation: batchBytes += count
        case .buckets: bucketBytes += count
        case nil: break
        }
    }

    /// The next request, which was not sent yet.
    mutating func request() throws -> PrivateMessage {
        guard let request = try client.nextRequest() else { throw Failure("The client asks nothing.") }
        return PrivateMessage(request)
    }
}
