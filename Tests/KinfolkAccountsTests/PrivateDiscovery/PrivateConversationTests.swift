import ServiceSupport
import TestSupport
import Testing

@testable import Kinfolk

/// The messages between client and server, and those that they refuse.
@Suite struct PrivateConversationTests {
    private let store: TestService
    private let seeker: Session

    init() throws {
        store = try TestService()
        try store.container.setDirectoryModes(.private)
        seeker = try store.session("Seeker", emails: "seeker@example.com")
    }

    private func client(_ emails: String..., keys: [[UInt8]] = [], state: [UInt8] = []) throws -> PrivateDiscoveryClient
    {
        var client = try PrivateDiscoveryClient(container: "com.example.notes", publicKeys: keys, state: state)
        var book = ContactBook()
        for email in emails { try book.add(email: email) }
        client.setContacts(book)
        return client
    }

    /// Runs a client up to the request of this type, and returns it.
    private func request(_ type: UInt8, of client: inout PrivateDiscoveryClient) throws -> [UInt8] {
        while let request = try client.nextRequest() {
            if request[3] == type { return request }
            try client.receive(seeker.answer(request))
        }
        throw KinfolkError(.unknownItem, "There was no such request.")
    }

    @Test func aClientWithThePublishedKeyDemandsAProof() throws {
        _ = try store.discoverable("Ada", emails: "ada@example.com")
        let key = try #require(try store.container.privateEpochs().first?.publicKey)
        var one = try client("ada@example.com", keys: [key])
        let request = try request(3, of: &one)
        #expect(request[24] == 1)
        let answer = try seeker.answer(request)

        // A change of any bit of the proof is refused, and so is a point more or less.
        for position in [1, 32, 33, 64, 65, 96, 97, 128].map({ answer.count - $0 }) {
            var changed = answer
            changed[position] ^= 1
            let refused = code { try one.receive(changed) }
            #expect(refused == .keyMismatch || refused == .invalidArgument)
        }
        var unproved = answer
        unproved[24] = 0
        unproved.removeLast(128)
        #expect(code { try one.receive(unproved) } == .keyMismatch)
        var swapped = answer
        swapped.replaceSubrange(27..<59, with: answer[59..<91])
        swapped.replaceSubrange(59..<91, with: answer[27..<59])
        #expect(code { try one.receive(swapped) } == .keyMismatch)
        // The points under the bucket key come after the others.
        var swappedBuckets = answer
        let bucketPoints = 27 + 64 * 32
        swappedBuckets.replaceSubrange(
            bucketPoints..<bucketPoints + 32,
            with: answer[bucketPoints + 32..<bucketPoints + 64]
        )
        swappedBuckets.replaceSubrange(
            bucketPoints + 32..<bucketPoints + 64,
            with: answer[bucketPoints..<bucketPoints + 32]
        )
        #expect(code { try one.receive(swappedBuckets) } == .keyMismatch)

        try one.receive(answer)
        while let request = try one.nextRequest() { try one.receive(seeker.answer(request)) }
        #expect(one.matches.count == 1)

        // The key of another epoch, or one that no container has.
        _ = try store.container.renewPrivateKey()
        try store.container.endPrivateEpochs(before: 2)
        var other = try client("ada@example.com", keys: [key])
        let description = try #require(try other.nextRequest())
        #expect(code { try other.receive(seeker.answer(description)) } == .keyMismatch)
    }

    @Test func theAnswerToAnotherRequestIsRefusedAndTheRequestIsKept() throws {
        var one = try client("ada@example.com")
        var two = try client("ada@example.com")
        let first = try request(3, of: &one)
        let second = try request(3, of: &two)
        #expect(first != second, "blinds are fresh")
        let answer = try seeker.answer(second)
        #expect(code { try one.receive(answer) } == .conflict)
        #expect(try one.nextRequest() == first)
        try two.receive(answer)
        #expect(code { try two.receive(answer) } == .invalidArgument, "nothing was asked")
        one.begin()
        #expect(code { try one.receive(seeker.answer(first)) } == .invalidArgument, "begun anew")
    }

    @Test func malformedPointsCostNothing() throws {
        var one = try client("ada@example.com")
        let request = try request(3, of: &one)
        let points: [[UInt8]] = [
            [UInt8](repeating: 0, count: 32),  // the identity
            [UInt8](repeating: 0xff, count: 32),
            [0xed] + [UInt8](repeating: 0xff, count: 30) + [0x7f],  // the field's prime
            [1] + [UInt8](repeating: 0, count: 31),  // negative
        ]
        var reasons: Set<String> = []
        for point in points {
            for position in [0, 63] {
                var changed = request
                changed.replaceSubrange(27 + 32 * position..<59 + 32 * position, with: point)
                do {
                    _ = try seeker.answer(changed)
                    Issue.record("taken")
                } catch {
                    #expect(error.code == .invalidArgument)
                    reasons.insert(error.reason)
                }
            }
        }
        #expect(reasons.count == 2)
        for length in 0..<request.count where length < 40 || length > request.count - 3 {
            #expect(code { try seeker.answer(Array(request.prefix(length))) } == .invalidArgument)
        }
        #expect(code { try seeker.answer(request + [0]) } == .invalidArgument)
        #expect(try seeker.permitsLeft() == PermitLimit.standard.capacity)
        // A repeated request is charged again.
        _ = try seeker.answer(request)
        _ = try seeker.answer(request)
        #expect(try seeker.permitsLeft() == PermitLimit.standard.capacity - 128)
    }

    @Test func changedPrefixBitsAndEndedEpochsHaveDifferentErrors() throws {
        var one = try client("ada@example.com")
        try store.container.setPrefixBits(3)
        let evaluation = try request(3, of: &one)
        let buckets = try request(5, of: &one)
        try store.container.setPrefixBits(2)
        #expect(code { try seeker.answer(buckets) } == .conflict)
        try store.container.setPrefixBits(3)
        _ = try seeker.answer(buckets)
        _ = try store.container.renewPrivateKey()
        _ = try seeker.answer(buckets)
        try store.container.endPrivateEpochs(before: 2)
        #expect(code { try seeker.answer(buckets) } == .unknownItem)
        let left = try seeker.permitsLeft()
        #expect(code { try seeker.answer(evaluation) } == .unknownItem)
        #expect(try seeker.permitsLeft() == left)
    }

    @Test func aClientSendsAtMostItsOwnLimitOfBits() throws {
        _ = try store.discoverable("Ada", emails: "ada@example.com")
        try store.container.setPrefixBits(32)
        for (limit, told) in [(20, 20), (7, 7), (0, 0), (99, 32), (-1, 0)] {
            var one = try client("ada@example.com")
            if limit != 20 { one.maximumPrefixBits = limit }
            let buckets = try request(5, of: &one)
            #expect(Int(buckets[24]) == told)
            try one.receive(seeker.answer(buckets))
            #expect(one.matches.count == 1)
            #expect(try one.nextRequest() == nil)
        }
    }

    @Test func aBatchAboveThePermitsLeftIsRefusedCompletely() throws {
        try store.container.setPermitLimit(.test(capacity: 100, perHour: 0))
        var one = try client("ada@example.com")
        let request = try request(3, of: &one)
        _ = try seeker.answer(request)
        #expect(code { try seeker.answer(request) } == .requestRateLimited)
        try store.container.setPermitLimit(.test(capacity: 63, perHour: 0))
        #expect(code { try seeker.answer(request) } == .limitExceeded)
    }

    @Test func aClientThatKnowsOnlyAnOlderKeyUsesItWhileItAnswers() throws {
        _ = try store.discoverable("Ada", emails: "ada@example.com")
        let key = try #require(try store.container.privateEpochs().first?.publicKey)
        _ = try store.container.renewPrivateKey()
        var one = try client("ada@example.com", keys: [key])
        while let request = try one.nextRequest() { try one.receive(seeker.answer(request)) }
        #expect(one.matches.count == 1 && one.exposure.epoch == 1)
        let newer = try #require(try store.container.privateEpochs().first?.publicKey)
        var two = try client("ada@example.com", keys: [key, newer], state: one.state)
        while let request = try two.nextRequest() { try two.receive(seeker.answer(request)) }
        #expect(two.matches.count == 1 && two.exposure.epoch == 2 && two.exposure.points == 0)
    }

    @Test func theBucketKeyIsPinned() throws {
        let published = try store.service.bucketPublicKey()
        let other = try TestService()
        try other.container.setDirectoryModes(.private)
        let another = try other.service.bucketPublicKey()
        #expect(published != another)
        func make(_ bucketKey: [UInt8]?, state: [UInt8] = []) throws -> PrivateDiscoveryClient {
            try PrivateDiscoveryClient(container: "com.example.notes", bucketKey: bucketKey, state: state)
        }
        var wrong = try make(another)
        wrong.setContacts(try book("ada@example.com"))
        let description = try seeker.answer(#require(try wrong.nextRequest()))
        #expect(code { try wrong.receive(description) } == .keyMismatch)

        var one = try make(published)
        one.setContacts(try book("ada@example.com"))
        while let request = try one.nextRequest() {
            if request[3] == 3 { #expect(request[24] == 1, "a proof is demanded") }
            try one.receive(seeker.answer(request))
        }
        #expect(code { try make(another, state: one.state) } == .keyMismatch)
        // The client keeps the first key that the server named, published or not.
        var again = try make(nil, state: one.state)
        again.begin()
        _ = try again.nextRequest()
        var changed = description
        changed.replaceSubrange(8..<40, with: another)
        #expect(code { try again.receive(changed) } == .conflict)
        #expect(code { try make([1, 2, 3]) } == .invalidArgument)
    }

    @Test func aFillerSecretIsSharedAndKept() throws {
        var one = try client("ada@example.com")
        while let request = try one.nextRequest() { try one.receive(seeker.answer(request)) }
        func make(_ secret: [UInt8], state: [UInt8] = []) throws -> PrivateDiscoveryClient {
            try PrivateDiscoveryClient(container: "com.example.notes", fillerSecret: secret, state: state)
        }
        #expect(try make(one.fillerSecret, state: one.state).fillerSecret == one.fillerSecret)
        #expect(code { try make(Array(one.fillerSecret.reversed()), state: one.state) } == .invalidArgument)
        #expect(code { try make([1, 2, 3]) } == .invalidArgument)
        // The same buckets are requested without the state, and in any container.
        try store.container.setPrefixBits(16)
        let elsewhere = try store.service.createContainer("com.example.chat")
        try elsewhere.setDirectoryModes(.private)
        try elsewhere.setPrefixBits(16)
        _ = try store.container.renewPrivateKey()
        let account = try store.account(of: seeker)
        func buckets(_ container: Container, secret: [UInt8]?) throws -> [UInt8] {
            var client = try PrivateDiscoveryClient(container: container.name, fillerSecret: secret)
            client.setContacts(try book("ada@example.com", "bob@example.com"))
            let session = try container.session(for: account)
            while let request = try client.nextRequest() {
                if request[3] == 5 { return Array(request[24...]) }
                try client.receive(session.answer(request))
            }
            return []
        }
        let asked = try buckets(store.container, secret: one.fillerSecret)
        #expect(try asked == buckets(elsewhere, secret: one.fillerSecret))
        #expect(try asked != buckets(elsewhere, secret: nil))
    }

    @Test func aStateOpensOnlyInItsContainer() throws {
        _ = try store.discoverable("Ada", emails: "ada@example.com")
        var one = try client("ada@example.com")
        while let request = try one.nextRequest() { try one.receive(seeker.answer(request)) }
        let state = one.state
        #expect(try client("ada@example.com", state: state).matches == one.matches)
        #expect(code { try PrivateDiscoveryClient(container: "com.example.other", state: state) } == .invalidArgument)
        for position in stride(from: 0, to: state.count, by: 97) {
            var changed = state
            changed[position] ^= 0x10
            let refusal = code { try PrivateDiscoveryClient(container: "com.example.notes", state: changed) }
            #expect(refusal == .invalidArgument, "byte \(position)")
        }
        for length in stride(from: 1, to: state.count, by: 61) {
            let cut = Array(state.prefix(length))
            #expect(code { try PrivateDiscoveryClient(container: "com.example.notes", state: cut) } == .invalidArgument)
        }
    }

    @Test func aServerThatChangesItsKeyWithinAnEpochIsRefused() throws {
        var one = try client("ada@example.com")
        while let request = try one.nextRequest() { try one.receive(seeker.answer(request)) }
        let other = try TestService()
        try other.container.setDirectoryModes(.private)
        let elsewhere = try other.session("Seeker", emails: "seeker@example.com")
        one.begin()
        let request = try #require(try one.nextRequest())
        #expect(code { try one.receive(elsewhere.answer(request)) } == .conflict)
    }

    /// The code of the error with which `body` is refused.
    private func code(_ body: () throws -> some Any) -> KinfolkError.Code? {
        do {
            _ = try body()
            return nil
        } catch { return (error as? KinfolkError)?.code }
    }
}
