import Foundation
import TestSupport
import Testing

/// `kv`.
@Suite struct KeyValueTests {
    private static let ada = "--container \(CommandLineTool.container) --account ada@example.com"
    /// Ends a test that would wait for ever.
    private static let patience = "timeout -k 5 60"

    private let kinfolk: CommandLineTool

    init() throws { kinfolk = try CommandLineTool.withPeople() }

    @discardableResult
    private func ada(_ command: String) throws -> Run { try kinfolk.session("ada@example.com", "kv \(command)") }

    private func entry(_ key: String) throws -> [String: Any] { try ada("get \(key) --json").json() }

    // MARK: Values

    @Test func keysAreSetReadListedAndRemoved() throws {
        #expect(try ada("list").output == "No key.\n")
        #expect(try ada("set theme dark").output == "Set theme.\n")
        #expect(try ada("set size :int64=12").status == 0)
        #expect(try ada("get theme").output == "dark\n")
        #expect(
            try ada("list").output == "KEY    TYPE    VALUE\nsize   int64   12\ntheme  string  dark\n"
        )
        let entries = try #require(try ada("list --json").json()["entries"] as? [[String: Any]])
        #expect(entries.compactMap { $0["key"] as? String } == ["size", "theme"])
        #expect(entries.compactMap { $0["type"] as? String } == ["int64", "string"])
        #expect(entries[0]["value"] as? Int == 12 && entries[1]["value"] as? String == "dark")
        #expect(try kinfolk.session("grace@example.org", "kv list").output == "No key.\n")
        #expect(try ada("remove theme").output == "The key theme has no value now.\n")
        #expect(try ada("remove theme").status == 0)
        let missing = try ada("get theme")
        #expect(missing.status == 12 && missing.errors.contains("kinfolk kv list"), "\(missing.errors)")
    }

    /// Each case: a value, its type, and how it is printed.
    @Test(arguments: [
        ("''", "string", ""), (":string=:int64=5", "string", ":int64=5"), (":int64=-5", "int64", "-5"),
        (":double=nan", "double", "nan"), (":boolean=true", "boolean", "true"), (":bytes=@file", "bytes", "48690a"),
        (":date=2026-01-31T12:00:00+01:00", "date", "2026-01-31T11:00:00.000000Z"),
        ("':string[]=a,b'", "array", "[\"a\",\"b\"]"), ("--json-value 5.0", "double", "5.0"),
        ("--json-value '{\"b\": [1, 2.5], \"a\": {}}'", "dictionary", "{\"a\":{},\"b\":[1,2.5]}"),
        ("--json-value '{\"type\": \"bytes\", \"value\": \"ff\"}'", "bytes", "ff"),
        ("--json-value '{\"type\": \"big\", \"value\": 1}'", "dictionary", "{\"type\":\"big\",\"value\":1}"),
        (
            "--json-value '{\"type\": \"dictionary\", \"value\": {\"type\": \"date\", \"value\": 1}}'", "dictionary",
            "{\"type\":\"date\",\"value\":1}"
        ),
    ])
    func valuesKeepTheirTypes(_ value: String, _ type: String, _ printed: String) throws {
        _ = try kinfolk.file("file", "Hi\n")
        let set = try ada("set key \(value)")
        #expect(set.status == 0, "\(set.errors)")
        #expect(try entry("key")["type"] as? String == type)
        let output = try ada("get key").output
        #expect(output.filter { $0 != " " } == printed + "\n", "\(output)")
        // What --json prints is a value for --json-value.
        let copy = try kinfolk.shell(
            """
            $kinfolk kv get key --json \(Self.ada) >value
            /usr/bin/python3 -c 'import json; v = json.load(open("value")); del v["key"]; print(json.dumps(v))' |
                $kinfolk kv set copy - --json-value \(Self.ada)
            $kinfolk kv get copy \(Self.ada)
            """
        )
        #expect(copy.output == "Set copy.\n" + output, "\(copy.errors)")
    }

    @Test func aMistakeSetsNothing() throws {
        // A key and a value, and the exit status.
        let mistakes: [(key: String, value: String, status: Int32)] = [
            ("''", "v", 11), ("key", ":int64=x", 11), ("key", ":nosuch=1", 11), ("key", ":", 11),
            ("key", ":boolean=yes", 11), ("key", ":bytes=f", 11), ("key", ":date=yesterday", 11),
            ("key", ":location=1,2", 11), ("key", ":asset=a", 11), ("key", "'{' --json-value", 11),
            ("key", "'[null]' --json-value", 11), ("key", "'{\"type\": \"array\", \"value\": 1}' --json-value", 11),
            ("key", "'{\"type\": \"date\", \"value\": 1}' --json-value", 11),
            ("key", String(repeating: "[", count: 66) + String(repeating: "]", count: 66) + " --json-value", 11),
            ("key", "", 64),
        ]
        for (key, value, status) in mistakes {
            let run = try ada("set \(key) \(value)")
            #expect(run.status == status, "\(value): \(run.errors)")
        }
        #expect(try ada("list").output == "No key.\n")
        for command in ["get", "remove"] { #expect(try ada("\(command) ''").status == 11) }
    }

    @Test func aListFitsATerminal() throws {
        try ada("set \(String(repeating: "k", count: 60)) '\(String(repeating: "long ", count: 50))'")
        try ada("set escape \"$(printf 'a\\033[31mb')\"")
        let run = try kinfolk.terminal("$kinfolk kv list \(Self.ada)")
        let lines = run.output.split(whereSeparator: \.isNewline)
        #expect(lines.count == 3 && lines.allSatisfy { !$0.contains("\u{1b}[31m") }, "\(run.output)")
        #expect(lines.dropFirst().allSatisfy { $0.count <= 80 }, "\(run.output)")
    }

    @Test func theQuotaLimitsWhatIsSet() throws {
        _ = try kinfolk("container", "quota", CommandLineTool.container, "--key-value-store", "1KB")
        let refused = try ada("set b \(String(repeating: "x", count: 1_000))")
        #expect(refused.status == 28 && refused.errors.contains("kinfolk kv remove"), "\(refused.errors)")
    }

    // MARK: Devices

    private func changes(_ device: String) throws -> [[String: Any]] {
        let run = try ada("synchronize --device \(device) --json")
        return try #require(try run.json()["changes"] as? [[String: Any]], "\(run.errors)")
    }

    @Test func aDeviceIsToldWhatOthersChanged() throws {
        try ada("set theme dark --device phone")
        let first = try changes("laptop")
        #expect(first.count == 1 && first[0]["reason"] as? String == "initialSyncChange")
        #expect(first[0]["keys"] as? [String] == ["theme"])
        #expect(try ada("synchronize --device laptop").output == "Nothing changed.\n")
        try ada("set size :int64=5 --device phone")
        try ada("remove theme --device phone")
        #expect(
            try ada("synchronize --device laptop").output
                == "REASON        KEY\nserverChange  size\nserverChange  theme\n"
        )
        // Without a device it is the first time, always.
        for _ in 0..<2 {
            let all = try ada("synchronize")
            #expect(all.output == "REASON             KEY\ninitialSyncChange  size\n", "\(all.errors)")
        }
    }

    @Test func changesAreShownWhenTheyCome() throws {
        try ada("set theme dark --device phone")
        #expect(try changes("laptop").count == 1)
        try ada("set theme light --device phone")
        let run = try kinfolk.shell(
            """
            \(Self.patience) $kinfolk kv watch --device laptop --count 3 --json \(Self.ada) >lines & watch=$!
            until grep -q theme lines; do sleep 0.05; done
            $kinfolk kv set own 1 --device laptop \(Self.ada) >saved
            $kinfolk kv set size 1 --device phone \(Self.ada) >saved
            until grep -q size lines; do sleep 0.05; done
            $kinfolk kv remove theme --device phone \(Self.ada) >saved
            wait $watch; echo status $?; cat lines
            """
        )
        #expect(
            run.output.replacing(" ", with: "") == """
                status0
                {"reason":"serverChange","keys":["theme"]}
                {"reason":"serverChange","keys":["size"]}
                {"reason":"serverChange","keys":["theme"]}

                """,
            "\(run.output) \(run.errors)"
        )
        // They were shown once.
        #expect(try changes("laptop").isEmpty)
    }

    @Test func aSuspendedAccountIsAChangeAndAnErasedOneTheEnd() throws {
        let run = try kinfolk.shell(
            """
            $kinfolk kv set theme dark --device phone \(Self.ada) >saved
            \(Self.patience) $kinfolk kv watch --device laptop \(Self.ada) >lines 2>errors & watch=$!
            until grep -q theme lines; do sleep 0.05; done
            $kinfolk account suspend ada@example.com >done
            until [ $(grep -c . lines) = 2 ]; do sleep 0.05; done
            $kinfolk account resume ada@example.com >done
            until [ $(grep -c . lines) = 3 ]; do sleep 0.05; done
            $kinfolk account erase ada@example.com --yes >done
            wait $watch; echo status $?; cat lines
            """
        )
        let lines = run.lines.map(String.init)
        #expect(
            lines == [
                "status 13", "initialSyncChange  theme", "accountChange", "accountChange  theme",
            ]
                || lines == [
                    "status 13", "initialSyncChange  theme", "accountChange", "accountChange  theme", "accountChange",
                ],
            "\(run.output)"
        )
    }

    @Test func signalsAndClosedPipesEndAWatch() throws {
        try ada("set theme dark --device phone")
        let closed = try kinfolk.shell(
            "{ \(Self.patience) $kinfolk kv watch \(Self.ada); echo $? >status; } | head -n 1; cat status"
        )
        #expect(closed.output == "initialSyncChange  theme\n141\n", "\(closed.output) \(closed.errors)")
        // The threads of the tests block signals, and processes inherit that.
        let unblocked = """
            import os, signal, sys
            signal.pthread_sigmask(signal.SIG_SETMASK, [])
            os.execv(sys.argv[1], sys.argv[1:])
            """
        _ = try kinfolk.file("unblocked.py", unblocked)
        let signal = try kinfolk.shell(
            """
            /usr/bin/python3 unblocked.py $kinfolk kv watch \(Self.ada) >lines & watch=$!
            until grep -q theme lines; do sleep 0.05; done
            kill -TERM $watch; wait $watch; echo $?
            """
        )
        #expect(signal.output == "143\n", "\(signal.errors)")
        #expect(try ada("watch --count 0").status == 64)
        #expect(try kinfolk.shell("$kinfolk kv watch --count 1 \(Self.ada) > /dev/full").status == 74)
    }
}
