import Foundation
import Kinfolk
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

/// A person who decides again and again fills no store, and one more decision costs the same as the first ones.
@Suite struct KeptDecisionTests {
    private let store: TestService
    private let ada: Session
    /// The decisions that are kept, and the one before them.
    private let rows = 51

    init() throws {
        store = try TestService()
        ada = try store.session("Ada", emails: "ada@example.com")
    }

    /// Decides once for each number, each time with a wording of its own. The last decision is a grant if its number is odd.
    private func decide(_ numbers: Range<Int>) throws {
        for number in numbers { try ada.setDiscoverability(decision(number), wording: wording(number)) }
    }

    private func decision(_ number: Int) -> Discoverability { number.isMultiple(of: 2) ? .denied : .granted }

    private func wording(_ number: Int) -> ConsentWording { ConsentWording("Text \(number)", version: "\(number)") }

    private func exported() throws -> [String] {
        let json = try JSONSerialization.jsonObject(with: Data(store.account(of: ada).export().utf8))
        let container = try #require(((json as? [String: Any])?["containers"] as? [[String: Any]])?.first)
        let decisions = try #require(container["discoverability"] as? [[String: String]])
        return decisions.map { "\($0["decision"] ?? "") \($0["wording_version"] ?? "")" }
    }

    /// The decisions with the last 50 of these numbers.
    private func last(of numbers: Range<Int>) -> [String] {
        numbers.suffix(50).map { "\(decision($0)) \($0)" }
    }

    /// Of the work of a server nothing is known but its round trips.
    @Test(.enabled(if: TemporaryFolder.hasFiles)) func oneMoreDecisionTakesTheSameSteps() throws {
        var (number, steps): (Int, [Int]) = (0, [])
        for count in [60, 300] {
            try decide(number..<count)
            let (_, work) = try store.service.tracing { try decide(count..<count + 1) }
            steps.append(work.reduce(0) { $0 + $1.steps })
            number = count + 1
        }
        #expect(steps[1] <= steps[0] + steps[0] / 20)
    }

    /// The first of them that is kept is verified as well.
    @Test func theLastDecisionsAreKeptWithTheirProof() throws {
        try decide(0..<50)
        #expect(try exported() == last(of: 0..<50))
        try decide(50..<120)
        #expect(try store.number("SELECT count(*) FROM consents") == rows)
        #expect(try store.number("SELECT count(*) FROM wordings") == rows)
        #expect(try exported() == last(of: 0..<120))
        #expect(try store.service.check().isSound)
        _ = try store.service.rotateKeys()
        #expect(try exported() == last(of: 0..<120))
        try decide(120..<122)
        #expect(try exported() == last(of: 0..<122))
        #expect(try store.service.check().isSound)
    }

    @Test func aPersonCanLeaveAfterAnyNumberOfDecisions() throws {
        try decide(0..<120)
        #expect(try store.directoryRows() == [1, 1])
        try ada.setDiscoverability(.denied, wording: wording(120))
        #expect(try store.directoryRows() == [0, 0])
        #expect(try ada.discoverability() == .denied)
    }

    @Test func aWordingStaysThatAnotherPersonWasShown() throws {
        let bob = try store.session("Bob")
        try bob.setDiscoverability(.granted, wording: wording(0))
        try decide(0..<120)
        #expect(try store.number("SELECT count(*) FROM wordings") == rows + 1)
        #expect(try store.account(of: bob).export().contains("Text 0"))
    }

    @Test func decisionsInAnotherContainerAreKept() throws {
        let chat = try store.service.createContainer("com.example.chat").session(for: store.account(of: ada))
        try chat.setDiscoverability(.granted, wording: wording(1_000))
        try decide(0..<120)
        #expect(try chat.discoverability() == .granted)
        #expect(try store.number("SELECT count(*) FROM consents") == rows + 1)
    }

    /// The decisions have the numbers from 1 on, so the last 50 are those above 70.
    @Test(arguments: [
        "DELETE FROM consents WHERE number = 70",
        "DELETE FROM consents WHERE number <= 80",
        "DELETE FROM consents WHERE number = 80",
        "UPDATE consents SET chain = wording_id WHERE number = 70",
        "UPDATE consents SET decision = 3 - decision WHERE number = 71",
    ])
    func aDecisionIsMissedThatSomebodyDeletedOrChanged(_ sql: String) throws {
        try decide(0..<120)
        try store.service.write { db in try db.using(composed: sql, []) { while try $0.step() {} } }
        expect(.storeCorrupt) { try store.account(of: ada).export() }
        #expect(try !store.service.check().isSound)
    }
}
