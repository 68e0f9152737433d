import Foundation
import TestSupport
import Testing

/// Ctrl-C during long work.
@Suite(.enabled(if: TemporaryFolder.hasFiles)) struct InterruptionTests {
    /// Presses Ctrl-C as soon as a command catches the signal. If the first argument is not "-", it is a store, which is locked until then.
    /// So the command cannot have done anything yet.
    private static let script = """
        import signal, sqlite3, subprocess, sys, time

        def catches(child):
            with open(f"/proc/{child.pid}/status") as status:
                caught = next(line for line in status if line.startswith("SigCgt"))
            return int(caught.split()[1], 16) & 1 << signal.SIGINT - 1

        waits = sys.argv[1] != "-"
        if waits:
            store = sqlite3.connect(sys.argv[1], isolation_level=None)
            store.execute("BEGIN IMMEDIATE")
        default = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)
        child = subprocess.Popen(sys.argv[2:], preexec_fn=default)
        while child.poll() is None and not catches(child):
            if waits: time.sleep(0.005)
        child.send_signal(signal.SIGINT)
        # The thread that waits for the lock takes the signal before it continues.
        if waits: store.execute("ROLLBACK")
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
            "account import more.csv --container com.example.notes",
            "people who have an account are skipped",
            "kinfolk.db"
        ),
        ("container directory com.example.notes --mode both", "people", "kinfolk.db"),
        ("copy kinfolk.db copy.db", "cannot be opened yet", "copy.db"),
    ])
    func interruptedWorkReportsItsProgressAndIsResumed(
        command: String,
        words: String,
        store: String
    ) throws {
        _ = try kinfolk.file(
            "more.csv",
            "email\n" + (1...(command.hasPrefix("account") ? 30_000 : 200)).map { "person\($0)@example.com\n" }.joined()
        )
        if store != "kinfolk.db" { try #require(try kinfolk.shell("$kinfolk \(command)").status == 0) }
        let run = try interrupted(command, waitingFor: store)
        // The process ends by signal 2, which a shell can see.
        #expect(run.status == 102, "\(run.errors)")
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("Press Ctrl-C again"))
        #expect(run.errors.contains("Error (interrupted): "), "\(run.errors)")
        #expect(run.errors.contains("Run it again to resume"))
        #expect(run.errors.contains(words), "\(run.errors)")
        #expect(try kinfolk.shell("$kinfolk \(command)").status == 0)
        #expect(try kinfolk("account", "list").status == 0)
    }

    /// For a command that waits for no lock: repeats it until the signal arrives before its work is finished.
    ///
    /// - Parameter preparation: A line of shell that is run before each attempt.
    private func interruptedAtWork(_ command: String, preparation: String = "") throws -> Run {
        let end = ContinuousClock.now + .seconds(60)
        while true {
            _ = try kinfolk.shell(preparation)
            let run = try interrupted(command, waitingFor: "-")
            if run.errors.contains("Error (interrupted)") || ContinuousClock.now > end { return run }
        }
    }

    private func importMore(_ count: Int) throws {
        let people = try kinfolk.file("more.csv", "email\n" + (1...count).map { "p\($0)@example.com\n" }.joined())
        try #require(try kinfolk.importPeople(people).status == 0)
    }

    private func expect(_ run: Run, says words: String) {
        #expect(run.status == 102, "\(run.errors)")
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("Press Ctrl-C again"))
        #expect(run.errors.contains("Error (interrupted): \(words)"), "\(run.errors)")
    }

    @Test func anInterruptedBackupLeavesNoFile() throws {
        try importMore(1_000)
        _ = try kinfolk.shell("mkdir sub")
        let run = try interruptedAtWork("backup sub/copy.db", preparation: "rm -f sub/copy.db")
        expect(run, says: "The backup was stopped, and no file was made.")
        #expect(try kinfolk.shell("ls -A sub").output == "")
        #expect(try kinfolk("backup", "copy.db").status == 0)
    }

    @Test func anInterruptedCheckReportsItsProgress() throws {
        try importMore(1_000)
        expect(try interruptedAtWork("check"), says: "The check was stopped when it had read ")
        #expect(try kinfolk("check").status == 0)
    }

    @Test func anInterruptedRestoreChangesNothingAndLeavesNoCopy() throws {
        try importMore(1_000)
        try #require(try kinfolk("backup", "copy.db").status == 0)
        let run = try interruptedAtWork(
            "restore copy.db --yes",
            preparation: "$kinfolk account create --email new@example.com --verified --if-missing"
        )
        expect(run, says: "The restore was stopped, and nothing was changed.")
        #expect(try kinfolk.shell("ls -A | grep -i -e restore -e '-wal' -e '-shm'").output == "")
        #expect(try kinfolk("account", "show", "new@example.com").status == 0)
        #expect(try kinfolk("restore", "copy.db", "--yes").status == 0)
    }

    @Test func anInterruptedDeletionIsResumed() throws {
        try importMore(1_000)
        let deletion = "container delete com.example.notes --yes"
        let run = try interrupted(deletion)
        expect(run, says: "The deletion was stopped when 1000 of 1003 people were removed from the container.")
        #expect(run.errors.contains("Run it again to resume"))
        #expect(try kinfolk("container", "create", "com.example.notes").status == 18)
        #expect(try kinfolk.shell("$kinfolk \(deletion)").status == 0)
        #expect(try kinfolk("container", "create", "com.example.notes").status == 0)
    }

    @Test func aDeletionThatHasFinishedBeforeTheSignalReportsSuccess() throws {
        let run = try interrupted("container delete com.example.notes --yes")
        #expect(run.status == 102)
        #expect(run.output.contains("Deleted the container com.example.notes, which 3 people used."))
        #expect(!run.errors.contains("Error"), "\(run.errors)")
    }

    @Test func anInterruptionPrintsOneJSONDocument() throws {
        let run = try interrupted("key rotate --json")
        #expect(run.status == 102)
        #expect(try run.errorJSON()["error"] as? String == "interrupted")
    }

    // MARK: Files of records

    private static let ada = "--container \(CommandLineTool.container) --account ada@example.com"

    /// Prepares a field for files, and a file of 3 MB.
    private func prepareFiles() throws {
        let field = "$kinfolk schema add-field \(CommandLineTool.container) file asset --record-type Note"
        try #require(try kinfolk.shell("\(field) && head -c 3000000 /dev/zero >zeros").status == 0)
    }

    private func rows(of table: String) throws -> String? {
        try RawDatabase(kinfolk.folder.file("kinfolk.db")).value("SELECT count(*) FROM \(table)")
    }

    @Test func anInterruptedUploadLeavesNothing() throws {
        try prepareFiles()
        let save = "asset save list file zeros --type Note --database private \(Self.ada)"
        expect(try interrupted(save), says: "The upload was stopped, and nothing was changed.")
        for table in ["assets", "asset_chunks", "removed_assets"] { #expect(try rows(of: table) == "0", "\(table)") }
        #expect(try kinfolk.shell("$kinfolk \(save)").status == 0)
    }

    /// The command waits for bytes, and not for the store.
    @Test func anUploadThatWaitsForStandardInputIsInterrupted() throws {
        try prepareFiles()
        let save = "asset save list file - --type Note --database private \(Self.ada)"
        let run = try kinfolk.shell(
            "mkfifo pipe; exec 3<>pipe; head -c 60000 zeros >&3; /usr/bin/python3 interrupt.py - $kinfolk \(save) <pipe"
        )
        expect(run, says: "The upload was stopped, and nothing was changed.")
        for table in ["assets", "asset_chunks", "removed_assets"] { #expect(try rows(of: table) == "0", "\(table)") }
    }

    @Test(arguments: [
        "asset fetch list file sub/out --database private \(ada)", "account export ada@example.com --archive sub/out",
    ])
    func anInterruptedCommandLeavesNoFile(_ command: String) throws {
        try prepareFiles()
        let save = "$kinfolk asset save list file zeros --type Note --database private \(Self.ada)"
        try #require(try kinfolk.shell("mkdir sub && \(save)").status == 0)
        let run = try interruptedAtWork(command, preparation: "rm -f sub/out")
        expect(run, says: "The \(command.contains("fetch") ? "fetch" : "export") was stopped, and no file was made.")
        #expect(try kinfolk.shell("ls -A sub").output == "")
    }
}
