import Foundation
import TestSupport
import Testing

/// Ctrl-C during long work.
@Suite(.enabled(if: TemporaryFolder.hasFiles)) struct InterruptionTests {
    /// Presses Ctrl-C while a command waits for the locked store: so it has done nothing yet, and cannot have finished.
    private static let script = """
        import signal, sqlite3, subprocess, sys, time

        def catches(child):
            with open(f"/proc/{child.pid}/status") as status:
                caught = next(line for line in status if line.startswith("SigCgt"))
            return int(caught.split()[1], 16) & 1 << signal.SIGINT - 1

        store = sqlite3.connect(sys.argv[1], isolation_level=None)
        store.execute("BEGIN IMMEDIATE")
        default = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)
        child = subprocess.Popen(sys.argv[2:], preexec_fn=default)
        while child.poll() is None and not catches(child):
            time.sleep(0.005)
        child.send_signal(signal.SIGINT)
        # The thread that waits for the lock takes the signal before it goes on.
        store.execute("ROLLBACK")
        status = child.wait()
        sys.exit(100 - status if status < 0 else status)
        """

    private let kinfolk: CommandLineTool

    init() throws {
        kinfolk = try CommandLineTool.withPeople()
        _ = try kinfolk.file("interrupt.py", InterruptionTests.script)
    }

    private func interrupted(_ command: String, waitingFor store: String = "kinfolk.db") throws -> Run {
        try kinfolk.shell("/usr/bin/python3 interrupt.py \(store) $kinfolk \(command)")
    }

    /// Each case: a command, its message, and the store for which it waits.
    @Test(arguments: [
        ("key rotate", "until its end the store opens with either key", "kinfolk.db"),
        ("key rotate --leaked", "until its end the store opens with the new key", "kinfolk.db"),
        (
            "account import more.csv --container com.example.notes", "people who have an account are skipped",
            "kinfolk.db"
        ),
        ("container directory com.example.notes --mode both", "people", "kinfolk.db"),
        ("copy kinfolk.db copy.db", "cannot be opened yet", "copy.db"),
    ])
    func workThatStopsSaysWhatWasDoneAndGoesOnWhenItIsRunAgain(
        command: String,
        words: String,
        store: String
    ) throws {
        _ = try kinfolk.file("more.csv", "email\n" + (1...200).map { "person\($0)@example.com\n" }.joined())
        if store != "kinfolk.db" { try #require(try kinfolk.shell("$kinfolk \(command)").status == 0) }
        let run = try interrupted(command, waitingFor: store)
        // Ended by signal 2, so that a shell sees it.
        #expect(run.status == 102, "\(run.errors)")
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("Press Ctrl-C again"))
        #expect(run.errors.contains("Error (interrupted): "), "\(run.errors)")
        #expect(run.errors.contains("Run it again to resume"))
        #expect(run.errors.contains(words), "\(run.errors)")
        #expect(try kinfolk.shell("$kinfolk \(command)").status == 0)
        #expect(try kinfolk("account", "list").status == 0)
    }

    @Test func anInterruptionIsOneDocumentOfJSON() throws {
        let run = try interrupted("key rotate --json")
        #expect(run.status == 102)
        #expect(try run.errorJSON()["error"] as? String == "interrupted")
    }
}
