import Kinfolk
import KinfolkAccess
import KinfolkModel
import KinfolkStorage
import ServiceSupport
import Testing

@Suite struct SignatureTests {
    private let store: TestService
    private let key: ServerKey
    private var container: Container { store.container }
    private let one = [UInt8](repeating: 1, count: 32)
    private let two = [UInt8](repeating: 2, count: 32)

    init() throws {
        store = try TestService()
        key = try store.container.addServerKey([4] + [UInt8](repeating: 1, count: 64), named: "server")
    }

    private func end(_ seconds: Double = 1_200) -> Timestamp { store.clock.now.adding(seconds: seconds) }

    /// Lets a minute pass, and does the work that is due then.
    private func runUpkeep() throws {
        store.clock.advance(seconds: 61)
        _ = try store.service.createAccount()
    }

    @Test func aSignatureIsAcceptedOnce() throws {
        #expect(try container.noteSignature(one, of: key, validUntil: end()))
        #expect(try !container.noteSignature(one, of: key, validUntil: end()))
        // Also under another date, in another process, and after the store was opened again.
        let other = try store.reopened().container(container.name)
        #expect(try !other.noteSignature(one, of: key, validUntil: end(1_300)))
        #expect(try other.noteSignature(two, of: key, validUntil: end()))
        #expect(try !container.noteSignature(two, of: key, validUntil: end()))
    }

    @Test func eachKeyAndContainerHasSignaturesOfItsOwn() throws {
        let second = try container.addServerKey([4] + [UInt8](repeating: 2, count: 64), named: "second")
        let chess = try store.service.createContainer("com.example.chess")
        let same = try chess.addServerKey(key.publicKey, named: "server")
        #expect(try container.noteSignature(one, of: key, validUntil: end()))
        #expect(try container.noteSignature(one, of: second, validUntil: end()))
        #expect(try chess.noteSignature(one, of: same, validUntil: end()))
    }

    @Test func ofManyAtTheSameTimeOneIsAccepted() throws {
        let (container, key, one, end) = (container, key, one, end())
        let answers = try concurrently(8) { try container.noteSignature(one, of: key, validUntil: end) }
        #expect(answers.count { $0 } == 1)
    }

    @Test func expiredRowsAreDeleted() throws {
        #expect(try container.noteSignature(one, of: key, validUntil: end()))
        store.clock.advance(seconds: 600)
        #expect(try container.noteSignature(two, of: key, validUntil: end()))
        store.clock.advance(seconds: 600)
        try runUpkeep()
        #expect(try store.number("SELECT count(*) FROM used_signatures") == 1)
        #expect(try !container.noteSignature(two, of: key, validUntil: end()))
    }

    @Test func aClockThatGoesBackMakesNoSignatureNewAgain() throws {
        let first = end()
        #expect(try container.noteSignature(one, of: key, validUntil: first))
        store.clock.advance(seconds: 1_200)
        try runUpkeep()
        #expect(try store.number("SELECT count(*) FROM used_signatures") == 0)
        store.clock.advance(seconds: -1_261)
        #expect(try !container.noteSignature(one, of: key, validUntil: first))
        // It is not known any more whether this one was used.
        #expect(try !container.noteSignature(two, of: key, validUntil: first))
        #expect(try container.noteSignature(two, of: key, validUntil: first.adding(seconds: 0.001)))
        #expect(try !store.reopened().container(container.name).noteSignature(one, of: key, validUntil: first))
    }

    @Test func aRemovedKeyMakesNoRequest() throws {
        let end = end()
        #expect(try container.noteSignature(one, of: key, validUntil: end))
        try container.removeServerKey(key.id)
        #expect(try !container.noteSignature(two, of: key, validUntil: end))
        // A key that is added again must not make earlier requests valid again.
        let again = try container.addServerKey(key.publicKey, named: "server")
        #expect(try !container.noteSignature(one, of: again, validUntil: end))
        #expect(try container.noteSignature(two, of: again, validUntil: end))
        #expect(try store.service.check().isSound)
    }

    @Test func erasingTheAccountAndDeletingTheContainerDeleteTheRows() throws {
        #expect(try container.noteSignature(one, of: key, validUntil: end()))
        _ = try store.service.account(key.account).erase()
        #expect(try store.number("SELECT count(*) FROM used_signatures") == 0)
        let again = try container.addServerKey(key.publicKey, named: "server")
        #expect(try container.noteSignature(two, of: again, validUntil: end()))
        try store.service.deleteContainer(container.name)
        #expect(try store.number("SELECT count(*) FROM used_signatures") == 0)
        expect(.unknownItem) { try container.noteSignature(one, of: again, validUntil: end()) }
    }

    @Test(arguments: [0, 31, 33]) func aSignatureOfAnotherLengthIsRefused(count: Int) throws {
        expect(.invalidArgument) {
            try container.noteSignature([UInt8](repeating: 1, count: count), of: key, validUntil: end())
        }
    }

    @Test func aDamagedHorizonIsReported() throws {
        try store.change("INSERT INTO service VALUES ('signatures', $1)", .bytes([1]))
        expect(.storeCorrupt) { try container.noteSignature(one, of: key, validUntil: end()) }
    }
}
