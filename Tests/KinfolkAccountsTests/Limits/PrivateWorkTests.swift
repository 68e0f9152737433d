import KinfolkCrypto
import KinfolkStorage
import ServiceSupport
import Testing

@testable import Kinfolk
@testable import KinfolkAccounts
@testable import KinfolkPrivateClient

/// The work that private requests are charged for.
@Suite struct PrivateWorkTests {
    private let store: TestService
    private let seeker: Session

    init() throws {
        store = try TestService()
        seeker = try store.session("Seeker")
        try store.container.setDirectoryModes(.private)
        for number in 0..<10 { _ = try store.discoverable(emails: "person\(number)@example.com") }
    }

    private func spent(_ kind: LimitKind) throws -> Int64 {
        let account = try #require(seeker.account)
        let container = store.container.number
        let stored = try store.service.read { db in
            try LimitTable.spendings(of: account, in: container, store.service.keys(db), db)[kind]?.millionths ?? 0
        }
        let holder = LimitHolder(account: account, container: container, kind: kind)
        return stored / Limit.unit - Int64(store.service.leases.count(of: holder))
    }

    private func epoch() throws -> UInt32 {
        try store.service.read { db in
            let answering = try store.service.directories(ofContainer: store.container.number, in: db).answering
            return try #require(answering.first).epoch
        }
    }

    private func evaluation(_ points: [UInt8], proof: Bool = false) throws -> [UInt8] {
        try EvaluationRequest(epoch: epoch(), id: RequestID.make(), wantsProof: proof, points: points).message
    }

    private func points(_ count: Int) throws -> [UInt8] {
        try (0..<count).flatMap { _ in try OPRFKey.random(.voprf).publicKey.bytes }
    }

    private func buckets(known: BucketVersion = .none) throws -> [UInt8] {
        let prefix = try #require(BucketPrefix([], .none))
        let bucket = BucketRequest.Bucket(prefix: prefix, version: known)
        return try BucketRequest(epoch: epoch(), id: RequestID.make(), prefixBits: .none, buckets: [bucket]).message
    }

    @Test func aBatchIsChargedForItsMultiplications() throws {
        _ = try seeker.answer(evaluation(points(64)))
        // Each point is multiplied by the epoch's key and by the bucket key.
        #expect(try spent(.multiplications) == 128)
        _ = try seeker.answer(evaluation(points(64), proof: true))
        #expect(try spent(.multiplications) == 384)
    }

    @Test func aRenewalIsChargedToo() throws {
        _ = try store.container.renewPrivateKey()
        let request = try RenewalRequest(
            epoch: 2,
            id: RequestID.make(),
            wantsProof: false,
            paidEpoch: 1,
            points: points(64),
            receipts: points(64)
        )
        expect(.permissionFailure) { try seeker.answer(request.message) }
        #expect(try spent(.multiplications) == 128)
    }

    @Test func aBatchWithAMalformedLastPointIsCharged() throws {
        let good = try points(64)
        let left = try seeker.permitsLeft()
        for bad in [[UInt8](repeating: 0, count: 32), [UInt8](repeating: 255, count: 32)] {
            expect(.invalidArgument) { try seeker.answer(evaluation(Array(good.dropLast(32)) + bad)) }
        }
        #expect(try spent(.multiplications) == 256)
        #expect(try seeker.permitsLeft() == left)
    }

    @Test func allPointsAreCheckedBeforeTheFirstIsMultiplied() throws {
        let key = try OPRFKey.random(.voprf)
        var memory = try points(65)
        memory.replaceSubrange(63 * 32..<64 * 32, with: [UInt8](repeating: 255, count: 32))
        // Each product overwrites the next point, so the malformed point would be lost before it is checked.
        memory.withUnsafeMutableBytes { memory in
            let batch = UnsafeRawBufferPointer(rebasing: memory[..<(64 * 32)])
            let products = UnsafeMutableRawBufferPointer(rebasing: memory[32...])
            #expect(throws: OPRFError.notAnElement) { try key.blindEvaluate(batch, into: products) }
        }
    }

    @Test func multiplicationsRunOutAndAccrueWithinADay() throws {
        try store.container.setPrivateWorkLimit(PrivateWorkLimit(multiplicationsPerDay: 256))
        for _ in 0..<2 { _ = try seeker.answer(evaluation(points(64))) }
        let error = expect(.requestRateLimited) { try seeker.answer(evaluation(points(64))) }
        #expect(error?.retryAfter.map { abs($0 - 43_200) < 10 } == true)
        expect(.limitExceeded) { try seeker.answer(evaluation(points(256))) }
        store.clock.advance(seconds: 43_210)
        _ = try seeker.answer(evaluation(points(64)))
    }

    @Test func bucketsAreChargedForTheirRowsEvenIfUnchanged() throws {
        _ = try seeker.answer(buckets())
        #expect(try spent(.rows) == 11)
        var reader = try MessageReader(seeker.answer(buckets()))
        let answer = try Buckets(&reader)
        let version = try #require(answer.buckets.first??.version)
        #expect(try seeker.answer(buckets(known: version)).count < 100)
        #expect(try spent(.rows) == 33)
    }

    @Test func rowsRunOut() throws {
        // A quarter of the limit for a person without a verified address.
        try store.container.setPrivateWorkLimit(PrivateWorkLimit(rowsPerDay: 4 * 30))
        for _ in 0..<2 { _ = try seeker.answer(buckets()) }
        expect(.requestRateLimited) { try seeker.answer(buckets()) }
        try store.container.setPrivateWorkLimit(PrivateWorkLimit(rowsPerDay: 4 * 10))
        expect(.limitExceeded) { try seeker.answer(buckets()) }
        try store.container.setPrivateWorkLimit(.standard)
        _ = try seeker.answer(buckets())
    }

    /// The count of rows in the store is only an estimate.
    @Test func rowsAboveTheExpectedNumberAreChargedAndBounded() throws {
        try store.change("UPDATE directory_counts SET row_count = 0")
        _ = try seeker.answer(buckets())
        #expect(try spent(.rows) == 11)
        try store.container.setPrivateWorkLimit(PrivateWorkLimit(rowsPerDay: 4 * 15))
        expect(.requestRateLimited) { try seeker.answer(buckets()) }
        #expect(try spent(.rows) >= 15)
    }

    @Test func aRequestRefusedBeforeAnyReadCostsNothing() throws {
        let bits = try #require(PrefixBits(8))
        let prefix = try #require(BucketPrefix([0], bits))
        let bucket = BucketRequest.Bucket(prefix: prefix, version: .none)
        let request = try BucketRequest(
            epoch: epoch(),
            id: RequestID.make(),
            prefixBits: bits,
            buckets: [bucket]
        )
        expect(.conflict) { try seeker.answer(request.message) }
        #expect(try spent(.rows) == 0)
    }

    @Test func erasingReturnsNoWork() throws {
        try store.container.setPrivateWorkLimit(PrivateWorkLimit(multiplicationsPerDay: 128, rowsPerDay: 16))
        for round in 0..<2 {
            let account = try store.account(emails: "worker@example.com")
            let session = try store.container.session(for: account)
            if round == 0 {
                _ = try session.answer(evaluation(points(64)))
                _ = try session.answer(buckets())
            } else {
                expect(.requestRateLimited) { try session.answer(evaluation(points(64))) }
                expect(.requestRateLimited) { try session.answer(buckets()) }
            }
            _ = try account.erase()
        }
    }
}
