import TestSupport
import Testing

/// A separate process registers participants, and ends.
@Suite struct ExitTests {
    @Test(arguments: ["return", "exit"]) func participantsFinishWhenTheProcessEnds(_ way: String) throws {
        let probe = try Probe("exit", way)
        // The second of three was unregistered.
        #expect(probe.finish() == ["finished 1", "finished 3"])
        #expect(probe.exitStatus == 0)
    }

    @Test func aParticipantThatHangsDoesNotKeepTheProcessAlive() throws {
        let probe = try Probe("exit", "hang")
        #expect(probe.finish() == ["finished 1"])
        #expect(probe.exitStatus == 0)
    }

    @Test func aForkedChildFinishesOnlyItsOwnParticipants() throws {
        let probe = try Probe("exit", "fork")
        #expect(probe.finish() == ["finished 4", "child 0", "finished 1", "finished 3"])
        #expect(probe.exitStatus == 0)
    }
}
