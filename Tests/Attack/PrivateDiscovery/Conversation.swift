import Kinfolk

/// Everything that a server sees of one private discovery, as if it logged everything.
struct Conversation {
    private(set) var requests: [SeenMessage] = []
    private(set) var answers: [SeenMessage] = []

    /// Runs a client's discovery to its end. `answer` plays the server.
    init(_ client: inout PrivateDiscoveryClient, _ answer: ([UInt8]) throws -> [UInt8]) throws {
        while let request = try client.nextRequest() {
            requests.append(SeenMessage(request))
            let message = try answer(request)
            answers.append(SeenMessage(message))
            try client.receive(message)
        }
    }

    init(_ client: inout PrivateDiscoveryClient, with session: Session) throws {
        try self.init(&client) { try session.answer($0, threads: 0) }
    }

    /// How many points were sent.
    var pointCount: Int { requests.filter { $0.kind == .evaluationRequest }.map(\.pointCount).reduce(0, +) }

    /// How many points were sent for contacts that were paid for in an earlier epoch.
    var renewalCount: Int { requests.filter { $0.kind == .renewalRequest }.map(\.pointCount).reduce(0, +) }

    /// Each point that was sent.
    var points: [[UInt8]] {
        requests.filter { $0.kind == .evaluationRequest }.flatMap { request in
            (0..<request.pointCount).map { request[point: $0] }
        }
    }

    private var bucketRequests: [SeenMessage] { requests.filter { $0.kind == .bucketRequest } }

    /// The number of bits in the requests for buckets; nil if there was no such request, or if the numbers differ.
    var bits: Int? {
        let bits = Set(bucketRequests.map(\.bits))
        return bits.count == 1 ? bits.first : nil
    }

    /// The buckets that were asked for, in their order.
    var buckets: [(prefix: UInt64, isKnown: Bool)] { bucketRequests.flatMap(\.buckets) }

    /// Their names.
    var prefixes: Set<UInt64> { Set(buckets.map(\.prefix)) }

    /// The rows that were sent.
    var rows: Set<[UInt8]> {
        Set(answers.filter { $0.kind == .buckets }.flatMap(\.rows).compactMap(\.self).joined())
    }

    /// How many buckets were sent: the others had not changed.
    var sentBuckets: Int { answers.filter { $0.kind == .buckets }.flatMap(\.rows).count { $0 != nil } }

    /// The number of bytes in each direction.
    var bytes: (sent: Int, received: Int) {
        (requests.map(\.bytes.count).reduce(0, +), answers.map(\.bytes.count).reduce(0, +))
    }
}
