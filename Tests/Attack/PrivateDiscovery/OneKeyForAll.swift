import Kinfolk
import KinfolkCrypto

/// A server that uses another key for one client is caught, if the client has the published key from elsewhere.
struct OneKeyForAll: Experiment {
    let name = "one-key"
    let promise = "one key for all"

    /// How a server lies.
    private enum Lie: String, CaseIterable {
        case describesAnother = "describes another key, and uses it"
        case usesAnother = "uses another key, with a proof under that"
        case usesAnotherForOne = "uses another key for one point of 64"
        case provesAnotherBatch = "sends a proof for another batch"
        case swapsPoints = "swaps two points"
        case swapsPointsThenProves = "swaps two points, and proves what it sends"
        case answersAnotherPoint = "answers one point for another"
        case omitsProof = "sends no proof"
        case zeroProof = "sends a proof of zeros"
        case unreducedProof = "sends a proof with numbers that are not reduced"
        case changedProof = "changes a bit of the proof"
        case identity = "answers with the identity element"
        case describesAnotherBucketKey = "describes another bucket key, and uses it"
        case usesAnotherBucketKey = "uses another bucket key, with a proof under that"
        case usesAnotherBucketKeyForOne = "uses another bucket key for one point of 64"
        case swapsKeys = "uses the epoch's key for the buckets"
        case answersAgain = "sends the answer of another request"

        /// The errors with which the client may refuse it.
        var codes: Set<KinfolkError.Code> {
            switch self {
            case .answersAgain: [.conflict]
            case .identity, .unreducedProof: [.invalidArgument, .keyMismatch]
            default: [.keyMismatch]
            }
        }
    }

    func run(_ length: Length) throws -> [Finding] {
        let server = try LyingServer()
        var refused = 0
        var failures: [String] = []
        for lie in Lie.allCases {
            for bits in [0, 15] {
                try server.store.container.setPrefixBits(bits)
                let caught = try ask(server, lie, pinned: true)
                if let caught, lie.codes.contains(caught) {
                    refused += 1
                } else {
                    failures.append("\(lie.rawValue): \(caught.map { "\($0)" } ?? "accepted")")
                }
            }
        }
        guard try ask(server, nil, pinned: true) == nil else { throw ExperimentFailure("an honest server was refused") }
        let isMissed = try ask(server, .describesAnother, pinned: false) == nil
        return [
            Finding(
                "a client with the published key; a server that lies in \(Lie.allCases.count) ways, at p = 0 and 15",
                failures.first ?? "\(refused) of \(2 * Lie.allCases.count) refused; the client kept nothing",
                isHeld: failures.isEmpty
            ),
            Finding(
                "not promised: another key for this client, which does not have the published one",
                isMissed ? "the client does not notice" : "refused",
                isHeld: true
            ),
        ]
    }

    /// The error with which the client refuses a lie; nil if it accepts every answer.
    private func ask(_ server: LyingServer, _ lie: Lie?, pinned: Bool) throws -> KinfolkError.Code? {
        let published = try server.store.container.privateEpochs().map(\.publicKey)
        var client = try PrivateDiscoveryClient(
            container: AttackedStore.containerName,
            publicKeys: pinned ? published : [],
            bucketKey: pinned ? server.bucketKey.publicKey.bytes : nil
        )
        var book = ContactBook()
        for number in 0..<10 { try book.add(hash: Guesser.hash(number)) }
        client.setContacts(book)
        let state = client.state.count
        while let request = try client.nextRequest() {
            let answer = try self.answer(server, SeenMessage(request), lie)
            do {
                try client.receive(answer.bytes)
            } catch {
                // A refused answer changes nothing, and the client still accepts an honest one.
                guard client.matches.isEmpty, client.state.count == state else { return nil }
                try client.receive(server.honest(SeenMessage(request)).bytes)
                return error.code
            }
        }
        return nil
    }

    private func answer(_ server: LyingServer, _ request: SeenMessage, _ lie: Lie?) throws -> SeenMessage {
        var answer = try server.honest(request)
        switch (lie, request.kind) {
        case (.describesAnother, .descriptionRequest): answer.setPublicKey(server.another.publicKey.bytes)
        case (.describesAnother, .evaluationRequest), (.usesAnother, .evaluationRequest):
            answer.points = try server.evaluate(request.points, with: server.another)
            answer.setProof(try server.prove(request.points, answer.points, with: server.another))
        case (.usesAnotherForOne, .evaluationRequest):
            answer[point: 7] = try server.evaluate(request[point: 7], with: server.another)
            answer.setProof(try server.prove(request.points, answer.points, with: server.key))
        case (.provesAnotherBatch, .evaluationRequest):
            let batch = try server.anotherBatch()
            answer.setProof(try server.prove(batch, server.evaluate(batch, with: server.key), with: server.key))
        case (.swapsPoints, .evaluationRequest):
            (answer[point: 0], answer[point: 1]) = (answer[point: 1], answer[point: 0])
        case (.swapsPointsThenProves, .evaluationRequest):
            (answer[point: 0], answer[point: 1]) = (answer[point: 1], answer[point: 0])
            answer.setProof(try server.prove(request.points, answer.points, with: server.key))
        case (.answersAnotherPoint, .evaluationRequest):
            answer[point: 3] = answer[point: 4]
            answer.setProof(try server.prove(request.points, answer.points, with: server.key))
        case (.omitsProof, .evaluationRequest): answer.removeProof()
        case (.zeroProof, .evaluationRequest):
            answer.setProof([UInt8](repeating: 0, count: SeenMessage.proofLength))
        case (.unreducedProof, .evaluationRequest):
            answer.setProof([UInt8](repeating: 0xff, count: SeenMessage.proofLength))
        case (.changedProof, .evaluationRequest):
            var proof = answer.proof
            proof[40] ^= 1
            answer.setProof(proof)
        case (.identity, .evaluationRequest):
            answer[point: 9] = [UInt8](repeating: 0, count: SeenMessage.pointLength)
            answer.setProof(try server.prove(request.points, answer.points, with: server.key))
        case (.describesAnotherBucketKey, .descriptionRequest):
            answer.setBucketKey(server.another.publicKey.bytes)
        case (.describesAnotherBucketKey, .evaluationRequest), (.usesAnotherBucketKey, .evaluationRequest):
            answer.secondPoints = try server.evaluate(request.points, with: server.another)
            answer.setBucketProof(try server.prove(request.points, answer.secondPoints, with: server.another))
        case (.usesAnotherBucketKeyForOne, .evaluationRequest):
            let one = try server.evaluate(request[point: 7], with: server.another)
            var points = answer.secondPoints
            points.replaceSubrange(7 * SeenMessage.pointLength..<8 * SeenMessage.pointLength, with: one)
            answer.secondPoints = points
            answer.setBucketProof(try server.prove(request.points, points, with: server.bucketKey))
        case (.swapsKeys, .evaluationRequest):
            answer.secondPoints = answer.points
            answer.setBucketProof(answer.proof)
        case (.answersAgain, .evaluationRequest):
            answer = try server.honest(server.anotherRequest())
        default: break
        }
        return answer
    }
}
