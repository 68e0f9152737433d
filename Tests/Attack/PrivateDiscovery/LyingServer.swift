import Kinfolk
import KinfolkCrypto

/// A server that has the published key and another key, and may answer falsely.
struct LyingServer {
    let store: AttackedStore
    let key: OPRFKey
    let bucketKey: OPRFKey
    let another: OPRFKey
    private let session: Session

    init() throws {
        store = try AttackedStore()
        try store.container.setPermitLimit(AttackedStore.unlimited)
        try store.container.setDirectoryModes(.private)
        try store.importPeople(0..<20) { _ in true }
        session = try store.session(InventedPerson(Suspects.seekers))
        key = try store.container.privateKey(ofEpoch: 1)
        bucketKey = try store.service.bucketKey()
        another = try .random(.voprf)
    }

    func honest(_ request: SeenMessage) throws -> SeenMessage { SeenMessage(try session.answer(request.bytes)) }

    func evaluate(_ points: [UInt8], with key: OPRFKey) throws -> [UInt8] {
        var evaluated = [UInt8](repeating: 0, count: points.count)
        try points.withUnsafeBytes { points in
            try evaluated.withUnsafeMutableBytes { try key.blindEvaluate(points, into: $0) }
        }
        return evaluated
    }

    func prove(_ points: [UInt8], _ evaluated: [UInt8], with key: OPRFKey) throws -> [UInt8] {
        try points.withUnsafeBytes { points in
            try evaluated.withUnsafeBytes { try key.prove(blinded: points, evaluated: $0).bytes }
        }
    }

    /// A request of another client, with a proof.
    func anotherRequest() throws -> SeenMessage {
        var client = try PrivateDiscoveryClient(
            container: AttackedStore.containerName,
            publicKeys: [key.publicKey.bytes],
            bucketKey: bucketKey.publicKey.bytes
        )
        var book = ContactBook()
        try book.add(hash: Guesser.hash(1))
        client.setContacts(book)
        while let request = try client.nextRequest().map(SeenMessage.init) {
            if request.kind == .evaluationRequest { return request }
            try client.receive(honest(request).bytes)
        }
        throw ExperimentFailure("a client sent no points")
    }

    func anotherBatch() throws -> [UInt8] { try anotherRequest().points }
}
