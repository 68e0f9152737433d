import Foundation
import Kinfolk
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

@Suite struct DiscoverabilityTests {
    private let store: TestService
    private let session: Session

    init() throws {
        store = try TestService()
        session = try store.session("Ada", emails: "ada@example.com")
    }

    /// On a server, the trace has a query twice: when it is sent ahead, and when its answer is read.
    @Test(.enabled(if: TemporaryFolder.hasFiles)) func aGrantReadsTheAccountOnce() throws {
        let session = try store.session("Ada", emails: "ada@example.com", "ada@example.org")
        let (_, work) = try store.service.tracing {
            try session.setDiscoverability(.granted, wording: TestService.wording)
        }
        for source in [
            "FROM accounts", "FROM emails e", "FROM users WHERE", "b.blocked_id", "FROM users u JOIN consents",
        ] {
            let reads = work.filter { $0.sql.contains("SELECT") && $0.sql.replacing("\n", with: " ").contains(source) }
            #expect(reads.count == 1, "\(source)")
        }
    }

    @Test func nobodyIsDiscoverableByDefault() throws {
        #expect(try session.discoverability() == .undetermined)
        #expect(try store.directoryRows() == [0, 0])
    }

    @Test(arguments: [Discoverability.granted, .denied]) func theFirstAnswerIsKept(answer: Discoverability) throws {
        let shown = try ask(answer)
        #expect(shown.answer == answer)
        #expect(shown.wordings == [TestService.wording])
        for other in Discoverability.allCases {
            let again = try ask(other)
            #expect(again.answer == answer)
            #expect(again.wordings.isEmpty, "nobody is asked twice")
        }
        #expect(try session.discoverability() == answer)
    }

    @Test func aPersonWhoDoesNotAnswerIsAskedAgain() throws {
        #expect(try ask(.undetermined).answer == .undetermined)
        #expect(try session.discoverability() == .undetermined)
        #expect(try ask(.granted).wordings.count == 1)
        #expect(try session.discoverability() == .granted)
    }

    @Test func aPersonWhoDecidedInTheSettingsIsNotAsked() throws {
        try session.setDiscoverability(.denied, wording: TestService.wording)
        #expect(try ask(.granted).wordings.isEmpty)
    }

    @Test func ofTwoConcurrentPromptsTheFirstAnswerIsKept() throws {
        let answer = try session.requestDiscoverability(wording: TestService.wording) { _ in
            #expect((try? ask(.denied).answer) == .denied)
            return .granted
        }
        #expect(answer == .denied)
        #expect(try session.discoverability() == .denied)
        #expect(try store.number("SELECT count(*) FROM consents") == 1)
    }

    @Test func theAnswerAppliesToEverySessionOfItsContainerOnly() throws {
        _ = try ask(.granted)
        let account = try store.account(of: session)
        #expect(try store.container.session(for: account).discoverability() == .granted)
        let chat = try store.service.createContainer("com.example.chat").session(for: account)
        #expect(try chat.discoverability() == .undetermined)
    }

    @Test func aPersonSuspendedDuringThePromptIsNotMadeDiscoverable() throws {
        expect(.notAuthenticated) {
            try session.requestDiscoverability(wording: TestService.wording) { _ in
                try? store.account(of: session).suspend()
                return .granted
            }
        }
        try store.account(of: session).resume()
        #expect(try session.discoverability() == .undetermined)
        #expect(try store.directoryRows() == [0, 0])
    }

    @Test func aGrantNeedsAWordingAndAnUndeterminedAnswerIsNoDecision() {
        for wording in [ConsentWording("", version: "1"), ConsentWording("May they?", version: "")] {
            expect(.invalidArgument) { try session.setDiscoverability(.granted, wording: wording) }
            expect(.invalidArgument) {
                try session.requestDiscoverability(wording: wording) { _ in
                    Issue.record("Nobody is asked with an empty wording.")
                    return .granted
                }
            }
        }
        expect(.invalidArgument) { try session.setDiscoverability(.undetermined, wording: TestService.wording) }
        let long = ConsentWording(String(repeating: "x", count: 16_385), version: "1")
        expect(.limitExceeded) { try session.setDiscoverability(.denied, wording: long) }
    }

    @Test func everyDecisionIsKeptAndExportedWithItsDateAndWording() throws {
        _ = try ask(.granted)
        let first = store.clock.now
        store.clock.advance(seconds: 3_600)
        try session.setDiscoverability(.denied, wording: ConsentWording("Nobody finds you.", version: "2026-02"))

        let json = try JSONSerialization.jsonObject(with: Data(store.account(of: session).export().utf8))
        let container = try #require(((json as? [String: Any])?["containers"] as? [[String: Any]])?.first)
        let decisions = try #require(container["discoverability"] as? [[String: String]])
        #expect(
            decisions == [
                [
                    "decision": "granted", "decided_at": first.description, "wording": TestService.wording.text,
                    "wording_version": "2026-01",
                ],
                [
                    "decision": "denied", "decided_at": store.clock.now.description, "wording": "Nobody finds you.",
                    "wording_version": "2026-02",
                ],
            ]
        )
    }

    private func ask(_ answer: Discoverability) throws -> (answer: Discoverability, wordings: [ConsentWording]) {
        var wordings: [ConsentWording] = []
        let held = try session.requestDiscoverability(wording: TestService.wording) { wording in
            wordings.append(wording)
            return answer
        }
        return (held, wordings)
    }
}
