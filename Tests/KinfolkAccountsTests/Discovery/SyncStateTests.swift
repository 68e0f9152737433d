import Foundation
@testable import Kinfolk
import ServiceSupport
import TestSupport
import Testing

@Suite struct SyncStateTests {
    private let store: TestService
    private let seeker: Session

    init() throws {
        store = try TestService()
        seeker = try store.session("Seeker")
        try store.container.setPermitLimit(.test(capacity: 1_000, perHour: 0))
    }

    /// The permits that a discovery costs, and its result.
    private func cost(
        of book: ContactBook,
        _ state: [UInt8] = [],
        by session: Session? = nil
    ) throws -> (permits: Int, found: Discovery) {
        let session = session ?? seeker
        let before = try session.permitsLeft()
        let found = try session.discover(book, syncState: state)
        return (Int(before - (try session.permitsLeft())), found)
    }

    @Test func searchingAgainIsFree() throws {
        let book = try book("a@example.com", "b@example.com", "c@example.com")
        let first = try cost(of: book)
        #expect(first.permits == 3)
        let second = try cost(of: book, first.found.syncState)
        #expect(second.permits == 0)
        #expect(try cost(of: book, second.found.syncState).permits == 0)
        #expect(try cost(of: book).permits == 3, "without the state it costs again")
    }

    @Test func aStateIsReturnedUnchangedIfNothingIsNew() throws {
        let (contacts, others) = (try book("a@example.com", "b@example.com"), try book("c@example.com"))
        let first = try seeker.discover(contacts).syncState
        #expect(try seeker.discover(contacts, syncState: first).syncState == first)
        // Two states, or a state followed by other bytes, become one state.
        let other = try seeker.discover(others).syncState
        for several in [first + other, first + first, first + [0]] {
            let one = try seeker.discover(contacts, syncState: several).syncState
            #expect(one.count < several.count && one != first)
        }
        // A state of an old epoch is resealed.
        _ = try store.service.rotateKeys()
        let renewed = try seeker.discover(contacts, syncState: first).syncState
        #expect(renewed != first)
        #expect(try cost(of: contacts, renewed).permits == 0)
    }

    @Test func aLargeStateMakesItsContactsFree() throws {
        try store.container.setPermitLimit(.test(capacity: 100_000, perHour: 0))
        var (known, all) = (ContactBook(), ContactBook())
        for number in 0..<3_000 {
            if number % 3 == 0 { try known.add(email: "person.\(number)@example.com") }
            try all.add(email: "person.\(number)@example.com")
        }
        let state = try seeker.discover(known).syncState
        #expect(try cost(of: known, state).permits == 0)
        #expect(try cost(of: all, state).permits == 2_000)
    }

    #if DEBUG
    @Test func manySmallStatesAfterALargeOneAreOpenedInLinearTime() throws {
        try store.container.setPermitLimit(.test(capacity: 100_000, perHour: 0))
        var large = ContactBook()
        for number in 0..<4_000 { try large.add(email: "person.\(number)@example.com") }
        let state = try seeker.discover(large).syncState
        let small = try (0..<500).map { number in
            try seeker.discover(book("other.\(number)@example.com")).syncState
        }
        let all = state + small.joined()
        let steps = try ReadingSteps.of { _ = try seeker.discover(large, syncState: all) }
        // Sorting takes about 12 steps for each state. Inserting one after the other would take 2,000,000 in all.
        #expect((1..<200_000).contains(steps))
        #expect(try cost(of: book("other.0@example.com", "other.499@example.com"), all).permits == 0)
    }
    #endif

    @Test func searchingAgainFindsNewPeople() throws {
        let book = try book("ada@example.com", "b@example.com")
        let first = try cost(of: book).found
        #expect(first.identities.isEmpty)
        let ada = try store.discoverable("Ada", emails: "ada@example.com")
        let second = try cost(of: book, first.syncState)
        #expect(second.permits == 0)
        #expect(try second.found.identities.map(\.userRecordID) == [ada.userRecordID()])
        try ada.setDiscoverability(.denied, wording: TestService.wording)
        #expect(try cost(of: book, second.found.syncState).found.identities.isEmpty)
    }

    @Test func onlyNewContactsCost() throws {
        let first = try cost(of: book("a@example.com", "b@example.com")).found
        let second = try cost(
            of: book("z@example.com", "b@example.com", "c@example.com", "a@example.com"),
            first.syncState
        )
        #expect(second.permits == 2)
        #expect(try cost(of: book("z@example.com", "a@example.com"), second.found.syncState).permits == 0)
    }

    @Test func aDuplicateContactCostsOnePermit() throws {
        #expect(try cost(of: book("a@example.com", "A@EXAMPLE.com", "b@example.com", "a@example.com")).permits == 2)
    }

    @Test func anOlderStateStaysValid() throws {
        let old = try cost(of: book("a@example.com")).found.syncState
        _ = try cost(of: book("a@example.com", "b@example.com"), old)
        #expect(try cost(of: book("a@example.com"), old).permits == 0)
        let reopened = try store.reopened()
        let account = try reopened.account(#require(seeker.account))
        let session = try reopened.container(store.container.name).session(for: account)
        #expect(try cost(of: book("a@example.com"), old, by: session).permits == 0)
    }

    @Test func deletedContactsStayPaidFor() throws {
        let all = try book("a@example.com", "b@example.com")
        let first = try cost(of: all).found.syncState
        let less = try cost(of: book("b@example.com"), first).found.syncState
        #expect(try cost(of: all, less).permits == 0)
    }

    @Test func severalConcatenatedStatesAreValidInAnyOrder() throws {
        let states = try ["a", "b", "c"].map { try cost(of: book("\($0)@example.com")).found.syncState }
        let all = try book("a@example.com", "b@example.com", "c@example.com", "d@example.com")
        #expect(try cost(of: all, states[0] + states[1] + states[2]).permits == 1)
        #expect(try cost(of: all, states[2] + states[0] + states[0]).permits == 2)
    }

    @Test func anInvalidStateIsIgnoredAndTheOthersAreValid() throws {
        let valid = try cost(of: book("a@example.com")).found.syncState
        let other = try store.session("Other")
        let foreign = try cost(of: book("b@example.com"), by: other).found.syncState
        var damaged = try cost(of: book("c@example.com")).found.syncState
        damaged[damaged.count - 1] ^= 1
        let all = try book("a@example.com", "b@example.com", "c@example.com")
        for bad in [foreign, damaged, foreign + damaged] {
            #expect(try cost(of: all, bad).permits == 3)
            #expect(try cost(of: all, bad + valid).permits == 2)
            #expect(try cost(of: all, valid + bad).permits == 2)
        }
    }

    @Test func aStateOfAnotherAccountContainerOrServiceIsIgnored() throws {
        let book = try book("a@example.com", "b@example.com")
        let state = try cost(of: book).found.syncState

        let other = try store.session("Other")
        #expect(try cost(of: book, state, by: other).permits == 2)

        let chat = try store.service.createContainer("com.example.chat")
        try chat.setPermitLimit(.test(capacity: 1_000, perHour: 0))
        let there = try chat.session(for: store.account(of: seeker))
        #expect(try cost(of: book, state, by: there).permits == 2)

        let elsewhere = try TestService()
        let session = try elsewhere.session("Seeker")
        _ = try session.discover(book, syncState: state)
        #expect(try session.permitsLeft() == 19_998)
    }

    @Test func aStateWithAnyChangedByteIsIgnored() throws {
        let book = try book("a@example.com")
        let state = try cost(of: book).found.syncState
        for index in state.indices {
            var changed = state
            changed[index] ^= 0x20
            #expect(try cost(of: book, changed).permits == 1, "byte \(index)")
        }
    }

    @Test func aTruncatedStateIsIgnored() throws {
        let book = try book("a@example.com")
        let state = try cost(of: book).found.syncState
        for length in 0..<state.count { #expect(try cost(of: book, Array(state.prefix(length))).permits == 1) }
        #expect(try cost(of: book, state + [1, 2, 3]).permits == 0, "what follows it does no harm")
    }

    @Test(
        arguments: Search.some([
            Array("KNS1".utf8), Array("KNS1".utf8) + [255, 255, 255, 255],
            Array("KNS1".utf8) + [255, 255, 255, 255, 0],
            Array("KNS1".utf8) + [0, 0, 0, 0, 0], [UInt8](repeating: 0, count: 1_000),
            Array("KNS2".utf8) + [0, 0, 0, 0, 0],
        ])
    )
    func randomBytesAreIgnoredAsAState(state: [UInt8]) throws {
        #expect(try cost(of: book("a@example.com"), state).permits == 1)
    }

    @Test func aStateRevealsOnlyTheRoughNumberOfItsContacts() throws {
        let hash = try EmailAddress("a@example.com").contactHash.withUnsafeBytes { Array($0) }
        let states = try ["a", "b"].map { try cost(of: book("\($0)@example.com")).found.syncState }
        #expect(Data(states[0]).range(of: Data(hash.prefix(16))) == nil)
        #expect(states[0].count == states[1].count)
        #expect(try cost(of: book("a@example.com")).found.syncState != states[0])
    }
}
