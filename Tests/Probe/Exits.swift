import Glibc
import KinfolkThreads

private final class Participant: ExitParticipant {
    private let number: Int
    private let hangs: Bool

    init(_ number: Int, hangs: Bool = false) {
        self.number = number
        self.hangs = hangs
        Exit.register(self)
    }

    func finish(until deadline: Deadline) {
        while hangs { pause() }
        say("finished", number)
    }
}

private final class Bystander: ForkParticipant {
    func prepareForFork() {}
    func resumeAfterFork() {}
}

/// Registers participants, unregisters the second, and ends the process.
func endWithParticipants(_ way: String) {
    _ = Participant(1)
    Exit.unregister(Participant(2))
    _ = Participant(3, hangs: way == "hang")
    switch way {
    case "exit": exit(0)
    case "fork":
        Fork.register(Bystander())
        let child = forkProcess()
        if child == 0 {
            _ = Participant(4)
            exit(0)
        }
        var status: Int32 = 0
        waitpid(child, &status, 0)
        say("child", status)
    default: return
    }
}
