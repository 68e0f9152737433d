import Floors
import Kinfolk

/// A batch of 1,024 points, for 1,000 contacts, on one thread: the client's part and the server's. All times are for one point.
enum PrivateBatchWork {
    private static let count = 1_024

    static func measure(_ setting: Setting) throws -> [Section] {
        let directory = try PrivateDirectory(setting)
        let runs = setting.isQuick ? 3 : 31
        return [
            Section(
                title: "Private discovery, a batch of 1,024, per contact",
                rows: [
                    Row("client", try client(directory, runs), in: .microseconds, goal: .atMost(90)),
                    Row(
                        "client, proof",
                        try verification(directory, runs),
                        in: .microseconds,
                        goal: .ratioAtMost(1.05)
                    ),
                    Row("server", try server(directory, false, runs), in: .microseconds, goal: .ratioAtMost(1.06)),
                    Row(
                        "server, with proof",
                        try server(directory, true, runs),
                        in: .microseconds,
                        goal: .ratioAtMost(2.4)
                    ),
                ]
            )
        ]
    }

    /// Blinding and finalising. The server's work in between is not counted.
    private static func client(_ directory: PrivateDirectory, _ runs: Int) throws -> Pair {
        var (products, floors): ([Double], [Double]) = ([], [])
        for run in 0...runs {
            var conversation = try PrivateConversation(run, directory.session)
            try conversation.begin()
            var client = conversation.client
            var request: [UInt8] = []
            var ofProduct = try Stopwatch.processor.time { request = try client.nextRequest() ?? [] }
            let answer = try directory.session.answer(request)
            ofProduct += try Stopwatch.processor.time { try client.receive(answer) }

            let hashes = try PrivateDirectory.hashes(of: run, count: count)
            var (points, blinds): ([UInt8], [UInt8]) = ([], [])
            var ofFloor = Stopwatch.processor.time {
                blinds = PrivateFloor.bytes(32 * count) { blinds in
                    points = PrivateFloor.bytes(32 * count) { floor_blind(hashes, count, blinds, $0) }
                }
            }
            let evaluated = directory.floor.multiply(points)
            ofFloor += Stopwatch.processor.time {
                _ = PrivateFloor.bytes(64 * count) { outputs in
                    _ = PrivateFloor.bytes(8 * count) { tags in
                        _ = PrivateFloor.bytes(4 * count) { positions in
                            floor_finalize(
                                hashes,
                                count,
                                blinds,
                                evaluated.products,
                                evaluated.bucketProducts,
                                outputs,
                                tags,
                                positions
                            )
                        }
                    }
                }
            }
            guard run > 0 else { continue }
            products.append(ofProduct / Double(count))
            floors.append(ofFloor / Double(count))
        }
        return Pair(products, floors)
    }

    /// Checks a proof that is wrong only in its last step: the client does all of the work, accepts nothing, and keeps its request.
    private static func verification(_ directory: PrivateDirectory, _ runs: Int) throws -> Pair {
        let (key, bucketKey) = (directory.floor.publicKey, directory.floor.bucketKey)
        var conversation = try directory.conversation(0, at: .evaluation, publicKeys: [key])
        let request = try conversation.request()
        let answer = PrivateMessage(try directory.session.answer(request.bytes))
        guard floor_verify(key, request.points, answer.points, count, answer.proof),
            floor_verify(bucketKey, request.points, answer.bucketPoints, count, answer.bucketProof)
        else {
            throw Failure("The floor refused a valid proof.")
        }
        var accepting = conversation.client
        try accepting.receive(answer.bytes)
        var wrong = answer.bytes
        wrong[wrong.count - answer.bucketProof.count] ^= 1
        let message = PrivateMessage(wrong)
        let (blinded, evaluated, bucketEvaluated) = (request.points, message.points, message.bucketPoints)
        let (proof, bucketProof) = (message.proof, message.bucketProof)
        var client = conversation.client
        return try Pair(.processor, runs: runs) { _ in
            do {
                try client.receive(wrong)
                throw Failure("The client accepted a wrong proof.")
            } catch let error as KinfolkError where error.code == .keyMismatch {}
        } floor: { _ in
            guard floor_verify(key, blinded, evaluated, count, proof),
                !floor_verify(bucketKey, blinded, bucketEvaluated, count, bucketProof)
            else {
                throw Failure("The floor accepted a wrong proof.")
            }
        }.divided(by: count)
    }

    /// A complete answer, including its reads and writes in the store. The floor only multiplies.
    private static func server(_ directory: PrivateDirectory, _ withProof: Bool, _ runs: Int) throws -> Pair {
        let keys = withProof ? [directory.floor.publicKey] : []
        var conversation = try directory.conversation(0, at: .evaluation, publicKeys: keys)
        let request = try conversation.request()
        let (points, floor) = (request.points, directory.floor)
        var answer: [UInt8] = []
        var products: ([UInt8], [UInt8]) = ([], [])
        let pair = try Pair(.processor, runs: runs) { _ in
            answer = try directory.session.answer(request.bytes)
        } floor: { _ in
            products = floor.multiply(points)
        }
        guard (PrivateMessage(answer).points, PrivateMessage(answer).bucketPoints) == products else {
            throw Failure("The floor evaluated to other points.")
        }
        return pair.divided(by: count)
    }
}
