import KinfolkCrypto
import ServiceSupport
import TestSupport
import Testing

@testable import Kinfolk

/// Contacts that were paid for in one epoch are free in another, and no others are.
@Suite struct RenewalTests {
    private let store: TestService
    private let seeker: Session

    init() throws {
        store = try TestService()
        try store.container.setDirectoryModes(.private)
        _ = try store.discoverable("Ada", emails: "ada@example.com")
        seeker = try store.session("Seeker", emails: "seeker@example.com")
    }

    private func client(_ emails: [String], state: [UInt8] = []) throws -> PrivateDiscoveryClient {
        var client = try PrivateDiscoveryClient(container: "com.example.notes", state: state)
        var book = ContactBook()
        for email in emails { try book.add(email: email) }
        client.setContacts(book)
        return client
    }

    private func finish(_ client: inout PrivateDiscoveryClient) throws {
        while let request = try client.nextRequest() { try client.receive(seeker.answer(request)) }
    }

    private func request(_ type: MessageType, of client: inout PrivateDiscoveryClient) throws -> [UInt8] {
        while let request = try client.nextRequest() {
            if request[3] == type.rawValue { return request }
            try client.receive(seeker.answer(request))
        }
        throw KinfolkError(.unknownItem, "There was no such request.")
    }

    @Test func paidContactsAreFreeInEachEpochAndUseTheSameBuckets() throws {
        try store.container.setPrefixBits(12)
        var one = try client(["ada@example.com", "bob@example.com"])
        let asked = try request(.bucketRequest, of: &one)
        try finish(&one)
        let left = try seeker.permitsLeft()
        var state = one.state
        for epoch in UInt32(2)...4 {
            _ = try store.container.renewPrivateKey()
            if epoch > 2 { try store.container.endPrivateEpochs(before: epoch) }
            var again = try client(["ada@example.com", "bob@example.com"], state: state)
            let renewed = try request(.bucketRequest, of: &again)
            try finish(&again)
            #expect(again.matches.count == 1)
            #expect(again.exposure.points == 0 && again.exposure.renewals == 64 && again.exposure.epoch == epoch)
            #expect(renewed[24...] == asked[24...], "the same prefixes")
            state = again.state
        }
        #expect(try seeker.permitsLeft() == left)
    }

    @Test func aClientThatMissedSeveralEpochsRenewsFromTheOneItKnows() throws {
        var one = try client(["ada@example.com"])
        try finish(&one)
        let left = try seeker.permitsLeft()
        for _ in 0..<3 { _ = try store.container.renewPrivateKey() }
        try store.container.endPrivateEpochs(before: 4)
        var again = try client(["ada@example.com"], state: one.state)
        try finish(&again)
        #expect(again.matches.count == 1)
        #expect(try seeker.permitsLeft() == left)
    }

    @Test func anInterruptedRenewalContinuesInTheNextEpoch() throws {
        // 320 contacts: a batch of 256 and one of 64.
        let many = (0..<250).map { "p\($0)@example.com" }
        var one = try client(many)
        try finish(&one)
        var two = try client(many + (250..<300).map { "p\($0)@example.com" }, state: one.state)
        try finish(&two)
        let left = try seeker.permitsLeft()
        _ = try store.container.renewPrivateKey()
        two.begin()
        let first = try request(.renewalRequest, of: &two)
        try two.receive(seeker.answer(first))
        _ = try store.container.renewPrivateKey()
        try store.container.endPrivateEpochs(before: 3)
        var again = try client(many, state: two.state)
        try finish(&again)
        #expect(again.exposure.renewals == 320)
        #expect(try seeker.permitsLeft() == left)
        let known = try ClientState(again.state, container: "com.example.notes")
        #expect(known.contacts.allSatisfy { $0.epoch == 3 })
    }

    @Test func anUnpaidPointMakesTheBatchFail() throws {
        var one = try client(["ada@example.com"])
        try finish(&one)
        _ = try store.container.renewPrivateKey()
        var again = try client(["ada@example.com"], state: one.state)
        let request = try request(.renewalRequest, of: &again)
        let points = 24 + 1 + 2 + 4
        let receipts = points + 64 * 32
        #expect(request.count == receipts + 64 * 32)
        // The points of a stranger's contacts, which nobody evaluated.
        var other = try client(["bob@example.com"])
        let strange = try self.request(.evaluationRequest, of: &other)[27...]
        for place in [0, 17, 63] {
            var changed = request
            changed.replaceSubrange(points + 32 * place..<points + 32 * (place + 1), with: strange.prefix(32))
            expect(.permissionFailure) { try seeker.answer(changed) }
            changed = request
            changed.replaceSubrange(
                receipts + 32 * place..<receipts + 32 * (place + 1),
                with: request[points + 32 * place..<points + 32 * (place + 1)]
            )
            expect(.permissionFailure) { try seeker.answer(changed) }
            changed = request
            changed.replaceSubrange(
                points + 32 * place..<points + 32 * (place + 1),
                with: [UInt8](repeating: 0, count: 32)
            )
            expect(.invalidArgument) { try seeker.answer(changed) }
            changed = request
            changed[receipts + 32 * (place + 1) - 1] |= 0x80
            expect(.permissionFailure) { try seeker.answer(changed) }
        }
        // A renewal from the same epoch, from one that never existed, and from epoch 0.
        for epoch in [2, 0] as [UInt8] {
            var changed = request
            changed[points - 1] = epoch
            expect(.invalidArgument) { try seeker.answer(changed) }
        }
        var changed = request
        changed[points - 1] = 9
        expect(.unknownItem) { try seeker.answer(changed) }
        _ = try seeker.answer(request)
    }

    @Test func contactsThatCannotBeRenewedArePaidAgainInTheSameBuckets() throws {
        try store.container.setPrefixBits(12)
        var one = try client(["ada@example.com"])
        let asked = try request(.bucketRequest, of: &one)
        try finish(&one)
        let left = try seeker.permitsLeft()
        _ = try store.service.rotateKeys(isLeaked: true)
        var again = try client(["ada@example.com"], state: one.state)
        let repeated = try request(.bucketRequest, of: &again)
        try finish(&again)
        #expect(repeated[24...] == asked[24...])
        #expect(again.matches.count == 1 && again.exposure.points == 64)
        #expect(try seeker.permitsLeft() == left - 64)
    }

    @Test func endingPrivateDiscoveryDeletesReceipts() throws {
        _ = try store.container.renewPrivateKey()
        try store.container.endPrivateEpochs(before: 2)
        #expect(try store.number("SELECT count(*) FROM directories WHERE state = 3") == 1)
        try store.container.setDirectoryModes(.hashed)
        #expect(try store.number("SELECT count(*) FROM directories") == 1)
    }
}
