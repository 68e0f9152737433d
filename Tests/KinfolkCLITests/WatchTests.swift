import Foundation
import TestSupport
import Testing

/// `watch`, while other processes save records.
@Suite struct WatchTests {
    private static let ada = "--container \(CommandLineTool.container) --account ada@example.com"
    private static let grace = "--container \(CommandLineTool.container) --account grace@example.org"
    /// Ends a test that would wait for ever.
    private static let patience = "timeout -k 5 60"

    private let kinfolk: CommandLineTool

    /// Ada's device "laptop" is told of new messages to her. Grace writes them.
    init() throws {
        kinfolk = try CommandLineTool.withPeople()
        let schema = "DEFINE SCHEMA RECORD TYPE Message ( to STRING QUERYABLE, text STRING, n INT64 );"
        _ = try kinfolk.file("schema.ckdb", schema)
        _ = try kinfolk.shell("$kinfolk schema apply \(CommandLineTool.container) schema.ckdb")
        let run = try kinfolk.session(
            "ada@example.com",
            "subscription save Message 'to = %@' ada --on created,deleted --keys text,n --id inbox --device laptop"
                + " --database public"
        )
        try #require(run.status == 0, "\(run.errors)")
    }

    @discardableResult
    private func write(_ name: String, text: String = "Hello", to: String = "ada") throws -> Run {
        let run = try kinfolk.session(
            "grace@example.org",
            "record save to=\(to) text='\(text)' n:int64=1 --type Message --name \(name) --database public"
        )
        #expect(run.status == 0, "\(run.errors)")
        return run
    }

    private func watch(_ options: String, more: String = "") throws -> Run {
        try kinfolk.shell("\(Self.patience) $kinfolk watch --device laptop \(options) \(Self.ada) \(more)")
    }

    @Test func notificationsThatWaitAreShownOnceInTheirOrder() throws {
        for name in ["m1", "m2", "m3"] { try write(name) }
        try write("m4", to: "alan")
        #expect(
            try watch("--count 2").output
                == "created  Message  m1  (inbox)  n=1  text=Hello\ncreated  Message  m2  (inbox)  n=1  text=Hello\n"
        )
        _ = try kinfolk.session("grace@example.org", "record delete m1 --database public")
        let rest = try watch("--count 2")
        #expect(rest.status == 0)
        #expect(rest.output == "created  Message  m3  (inbox)  n=1  text=Hello\ndeleted  Message  m1  (inbox)\n")
    }

    /// The process that saves begins when the other one waits.
    @Test func aRecordOfAnotherProcessIsShownWhileTheCommandRuns() throws {
        let run = try kinfolk.shell(
            """
            $kinfolk watch --device laptop --count 2 --json \(Self.ada) >lines & watch=$!
            for name in m1 m2; do
                $kinfolk record save to=ada text=Hello --type Message --name $name --database public \(Self.grace) >saved
                n=0
                until grep -q '"'$name'"' lines || [ $n -gt 600 ]; do sleep 0.05; n=$((n + 1)); done
                grep -c . lines
            done
            wait $watch; echo status $?
            """
        )
        #expect(run.output == "1\n2\nstatus 0\n", "\(run.errors)")
        let lines = try String(contentsOfFile: kinfolk.folder.file("lines"), encoding: .utf8).split(separator: "\n")
        let first = try #require(try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: Any])
        #expect(first["kind"] as? String == "query" && first["reason"] as? String == "created")
        #expect(first["subscription_id"] as? String == "inbox" && first["name"] as? String == "m1")
        #expect(first["record_type"] as? String == "Message" && first["database"] as? String == "public")
        let text = (first["fields"] as? [String: Any])?["text"] as? [String: Any]
        #expect(text?["value"] as? String == "Hello")
    }

    @Test func withoutADeviceItShowsWhatHappensFromNowOn() throws {
        try write("m1")
        let run = try kinfolk.shell(
            """
            \(Self.patience) $kinfolk watch --count 1 \(Self.ada) >lines & watch=$!
            until $kinfolk device list \(Self.ada) | grep -q session; do sleep 0.05; done
            $kinfolk record save to=ada text=Hello --type Message --name m2 --database public \(Self.grace) >saved
            wait $watch; echo status $?; cat lines
            """
        )
        #expect(run.output == "status 0\ncreated  Message  m2  (inbox)  text=Hello\n", "\(run.errors)")
    }

    /// Each case: a signal, and what the shell reports. The notification that was shown is not shown again.
    @Test(arguments: [("TERM", 143), ("INT", 130), ("HUP", 129)])
    func aSignalEndsItAfterItHasAcknowledged(_ name: String, _ status: Int) throws {
        try write("m1")
        // A shell lets background processes ignore Ctrl-C.
        let script = """
            import signal, subprocess, sys, time
            default = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)
            child = subprocess.Popen(sys.argv[2:], stdout=subprocess.PIPE, preexec_fn=default)
            print(child.stdout.readline().decode(), end="")
            child.send_signal(getattr(signal, "SIG" + sys.argv[1]))
            status = child.wait(60)
            print("status", 128 - status if status < 0 else status)
            """
        _ = try kinfolk.file("end.py", script)
        let run = try kinfolk.shell("/usr/bin/python3 end.py \(name) $kinfolk watch --device laptop \(Self.ada)")
        #expect(run.output == "created  Message  m1  (inbox)  n=1  text=Hello\nstatus \(status)\n", "\(run.errors)")
        #expect(run.errors.isEmpty)
        try write("m2")
        #expect(try watch("--count 1").output.contains("m2"))
    }

    /// It ends without waiting for a notification that it could not show.
    @Test func aReaderThatClosesThePipeEndsIt() throws {
        try write("m1")
        let run = try kinfolk.shell(
            "{ \(Self.patience) $kinfolk watch --device laptop \(Self.ada); echo $? >status; } | head -n 1; cat status"
        )
        #expect(run.output.hasPrefix("created  Message  m1  (inbox)"), "\(run.errors)")
        #expect(run.output.hasSuffix("\n141\n"), "\(run.output)")
        #expect(run.errors.isEmpty)
        try write("m2")
        #expect(try watch("--count 1").output.contains("m2"))
    }

    @Test func aNotificationThatWasNotWrittenIsShownAgain() throws {
        try write("m1")
        #expect(try watch("--count 1", more: "> /dev/full").status == 74)
        #expect(try watch("--count 1").output.contains("m1"))
    }

    /// A pipe that nobody reads is full after 64 KB.
    @Test func aFullPipeDoesNotKeepItFromEnding() throws {
        try write("m1", text: String(repeating: "x", count: 100_000))
        let script = """
            import signal, subprocess, sys, time
            child = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE)
            time.sleep(2)
            child.terminate()
            print(child.wait(60))
            """
        _ = try kinfolk.file("full.py", script)
        let run = try kinfolk.shell("/usr/bin/python3 full.py $kinfolk watch --device laptop \(Self.ada)")
        #expect(run.output == "-15\n", "\(run.errors)")
        #expect(try watch("--count 1").output.contains("m1"))
    }

    /// Each case: what the operator does, and a word of the error.
    @Test(arguments: [
        ("account suspend ada@example.com", "suspended", 13), ("account erase ada@example.com --yes", "Nobody", 13),
        ("container delete com.example.notes --yes", "deleted", 12),
    ])
    func itEndsWhenTheAccountIsGone(_ command: String, _ word: String, _ status: Int) throws {
        try write("m1")
        let run = try kinfolk.shell(
            """
            \(Self.patience) $kinfolk watch --device laptop --json \(Self.ada) >lines 2>errors & watch=$!
            until grep -q m1 lines; do sleep 0.05; done
            $kinfolk \(command) >done
            wait $watch; echo $?; cat errors
            """
        )
        #expect(run.output.hasPrefix("\(status)\n"), "\(run.output)")
        #expect(run.output.contains(word))
        #expect(run.output.contains("\"error\""))
    }

    @Test func alertsAndZonesAreShown() throws {
        _ = try kinfolk.session("ada@example.com", "zone save Notes")
        let saved = try kinfolk.session(
            "ada@example.com",
            "subscription save --zone Notes --database private --id notes --title New --alert-body 'Look here'"
        )
        #expect(saved.status == 0, "\(saved.errors)")
        _ = try kinfolk.session(
            "ada@example.com",
            "record save --type Message --name n --zone Notes --database private"
        )
        #expect(try watch("--count 1").output == "changed  zone Notes  (notes)  New  Look here\n")
    }

    @Test func aLineFitsATerminal() throws {
        try write("m1", text: String(repeating: "long ", count: 50))
        let run = try kinfolk.terminal("$kinfolk watch --device laptop --count 1 \(Self.ada)")
        let lines = run.output.split(whereSeparator: \.isNewline)
        #expect(lines.count == 2 && lines.allSatisfy { $0.count <= 80 }, "\(run.output)")
        #expect(lines.last?.hasSuffix("…") == true)
    }

    @Test func theMistakesOfTheCommandLine() throws {
        #expect(try watch("--count 0").status == 64)
        #expect(try watch("--read-only").status == 14)
    }
}
