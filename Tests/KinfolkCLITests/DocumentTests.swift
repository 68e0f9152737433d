import Foundation
import TestSupport
import Testing

/// `document`.
@Suite struct DocumentTests {
    private static let ada = "--container \(CommandLineTool.container) --account ada@example.com"
    /// Ends a test that would wait for ever.
    private static let patience = "timeout -k 5 60"
    private static let list = "notes/list.txt"

    private let kinfolk: CommandLineTool

    init() throws { kinfolk = try CommandLineTool.withPeople() }

    @discardableResult
    private func ada(_ command: String) throws -> Run { try kinfolk.session("ada@example.com", "document \(command)") }

    /// Creates or saves a document from standard input.
    @discardableResult
    private func save(_ command: String, _ contents: String) throws -> Run {
        try kinfolk.shell("printf %s '\(contents)' | $kinfolk document \(command) \(Self.ada)")
    }

    private func versions(_ path: String) throws -> [[String: Any]] {
        try #require(try ada("show \(path) --json").json()["versions"] as? [[String: Any]])
    }

    private func ids(_ path: String) throws -> [String] { try versions(path).compactMap { $0["id"] as? String } }

    private func states(_ path: String) throws -> [String] { try versions(path).compactMap { $0["state"] as? String } }

    private func paths(_ options: String = "") throws -> [String] {
        let run = try ada("list --json \(options)")
        let all = try #require(try run.json()["documents"] as? [[String: Any]], "\(run.errors)")
        return all.compactMap { $0["path"] as? String }
    }

    // MARK: Contents

    @Test func aDocumentIsCreatedReadSavedMovedAndDeleted() throws {
        #expect(try ada("list").output == "No document.\n")
        _ = try kinfolk.file("list.txt", "Milk")
        let created = try ada("create \(Self.list) list.txt --device phone")
        #expect(created.output.wholeMatch(of: #/Created notes/list.txt: 4 bytes, version [0-9a-f]{12}.\n/#) != nil)
        let again = try ada("create \(Self.list) list.txt")
        #expect(again.status == 18 && again.errors.contains("kinfolk document save"), "\(again.errors)")
        #expect(try save("save \(Self.list) -", "Milk, bread").status == 0)
        #expect(try ada("get \(Self.list)").output == "Milk, bread")
        #expect(try ada("get \(Self.list) -").output == "Milk, bread")
        let first = try #require(try ids(Self.list).last)
        #expect(try ada("get \(Self.list) --version \(first.prefix(8))").output == "Milk")
        let written = try ada("get \(Self.list) copy.txt --version \(first)")
        #expect(written.output == "Wrote 4 bytes to copy.txt.\n", "\(written.errors)")
        #expect(try String(contentsOfFile: kinfolk.folder.file("copy.txt"), encoding: .utf8) == "Milk")
        #expect(try ada("move \(Self.list) shopping").output == "Moved notes/list.txt to shopping.\n")
        #expect(try paths() == ["shopping"] && states("shopping") == ["current", "older"])
        #expect(try ada("delete shopping").output == "Deleted shopping.\n")
        for command in ["show shopping", "get shopping", "delete shopping", "move shopping b", "exclude shopping"] {
            let missing = try ada(command)
            #expect(missing.status == 12 && missing.errors.contains("kinfolk document list"), "\(missing.errors)")
        }
        let saved = try ada("save shopping list.txt")
        #expect(saved.status == 12 && saved.errors.contains("kinfolk document create"), "\(saved.errors)")
        #expect(try kinfolk.session("grace@example.org", "document list").output == "No document.\n")
    }

    @Test func aDocumentIsShownWithAllVersions() throws {
        try save("create \(Self.list) --device phone", "one")
        try save("save \(Self.list) - --device 'my tablet'", "two!")
        let shown = try ada("show \(Self.list)")
        #expect(shown.lines.first == "notes/list.txt")
        let date = #/[0-9T:.-]+Z/#
        let table = shown.lines.suffix(3).map { String($0).replacing(date, with: "DATE") }
        let ids = try ids(Self.list).map { $0.prefix(12) }
        #expect(
            table == [
                "STATE    VERSION       BYTES  SAVED                        DEVICE",
                "current  \(ids[0])      4  DATE  my tablet", "older    \(ids[1])      3  DATE  phone",
            ]
        )
        #expect(
            try kinfolk.terminal("$kinfolk document show \(Self.list) \(Self.ada)").lines.allSatisfy { $0.count <= 81 }
        )
        let json = try ada("show \(Self.list) --json").json()
        #expect(json["is_excluded_from_backup"] as? Bool == false && json["id"] is String)
        let version = try versions(Self.list)[1]
        #expect(version["device"] as? String == "phone" && version["size"] as? Int == 3)
        #expect((version["sha256"] as? String)?.count == 64)
    }

    @Test func malformedPathsAreRefused() throws {
        try save("create a", "x")
        _ = try kinfolk.shell("mkdir in && echo x >in/x")
        // As the shell reads them.
        for path in ["../up", "''", "\"$(printf 'a\\nb')\""] {
            for command in [
                "create \(path)", "show \(path)", "list --folder \(path)", "move a \(path)", "import in --into \(path)",
            ] {
                #expect(try save(command, "x").status == 11, "\(command)")
            }
        }
        #expect(try paths() == ["a"])
    }

    @Test func mistakesAreNoticedBeforeAnythingIsStored() throws {
        _ = try kinfolk.file("file", "x")
        try save("create a/b", "x")
        let bytes = try kinfolk.session("ada@example.com", "session storage --json").json()["private_bytes"] as? Int
        let mistakes: [(String, Int32)] = [
            ("create a file", 18), ("create a/b/c file", 18), ("create c missing", 30), ("create c .", 11),
            ("save a/b missing", 30), ("save a/b file --base 12", 64), ("save a/b file --base 0000", 12),
            ("get a/b --version zzzz", 64), ("get a/b --version 0000", 12), ("get a/b kinfolk.db", 11),
            ("restore a/b 0000", 12), ("resolve a/b", 64), ("resolve a/b file --keep 0000", 64),
            ("resolve a/b --keep 0000", 12), ("watch --count 0", 64), ("list --modified-since yesterday", 64),
            ("import missing", 12), ("import file", 11), ("export missing/copies", 12), ("export file", 11),
        ]
        for (command, status) in mistakes {
            let run = try ada(command)
            #expect(run.status == status, "\(command): \(run.status) \(run.errors)")
        }
        let after = try kinfolk.session("ada@example.com", "session storage --json").json()["private_bytes"] as? Int
        #expect(bytes == after && bytes != nil)
    }

    @Test func documentsAreFoundByTheirNamesFoldersAndDates() throws {
        for path in ["a.txt", "notes/a.txt", "notes/b.md"] { try save("create \(path)", "x") }
        #expect(try paths() == ["a.txt", "notes/a.txt", "notes/b.md"])
        #expect(try paths("--name '*.txt' --folder notes") == ["notes/a.txt"])
        #expect(try paths("--shallow") == ["a.txt"])
        #expect(try paths("--prefix b") == ["notes/b.md"])
        #expect(try paths("--conflicts").isEmpty)
        let run = try ada("list --json --name b.md")
        let document = try #require((run.json()["documents"] as? [[String: Any]])?.first)
        let date = try #require(document["modified_at"] as? String)
        #expect(try paths("--modified-since \(date)") == ["notes/b.md"])
        #expect(try paths("--modified-before \(date)") == ["a.txt", "notes/a.txt"])
        let long = String(repeating: "long name ", count: 20)
        try save("create '\(long)'", "x")
        let shown = try kinfolk.terminal("$kinfolk document list \(Self.ada)").output
        let lines = shown.split(whereSeparator: \.isNewline)
        #expect(lines.count == 5 && lines.dropFirst().allSatisfy { $0.count <= 80 }, "\(shown)")
    }

    // MARK: Conflicts

    /// The document has a version of the phone, and one of the tablet that did not know it. Returns the ID of the first version.
    private func conflict() throws -> String {
        try save("create \(Self.list) --device phone", "base")
        let base = try #require(try ids(Self.list).first)
        #expect(try save("save \(Self.list) - --base \(base) --device phone", "phone").status == 0)
        let second = try save("save \(Self.list) - --base \(base.prefix(6)) --device tablet", "tablet")
        #expect(second.status == 2, "\(second.output) \(second.errors)")
        #expect(second.output.hasPrefix("Saved as a conflict of notes/list.txt: 6 bytes, version "))
        return base
    }

    @Test func aVersionWithAnOldBaseBecomesAConflict() throws {
        let base = try conflict()
        #expect(try states(Self.list) == ["current", "conflict", "older"])
        #expect(try paths("--conflicts") == [Self.list])
        #expect(try ada("list").lines.last?.hasSuffix("1 conflict") == true)
        let run = try save("save \(Self.list) - --base \(base) --json", "third")
        #expect(run.status == 2)
        let (json, third) = (try run.json(), try ids(Self.list)[2])
        #expect(json["is_conflict"] as? Bool == true && json["saved_version"] as? String == third)
        // A version that is not kept any more.
        #expect(try save("save \(Self.list) - --base \(String(repeating: "0", count: 32))", "lost").status == 2)
        let fine = try save("save \(Self.list) - --json", "newest")
        #expect(try fine.status == 0 && fine.json()["is_conflict"] as? Bool == false)
    }

    @Test func conflictsAreResolvedByAVersionOrAFile() throws {
        _ = try conflict()
        let tablet = try ids(Self.list)[1]
        let older = try ids(Self.list)[2]
        // An older version is none of those in conflict.
        #expect(try ada("resolve \(Self.list) --keep \(older)").status == 12)
        let kept = try ada("resolve \(Self.list) --keep \(tablet.prefix(10))")
        #expect(kept.output.hasPrefix("Resolved notes/list.txt: version "), "\(kept.errors)")
        #expect(try ada("get \(Self.list)").output == "tablet")
        #expect(try save("save \(Self.list) - --base \(older)", "late").status == 2)
        #expect(try save("resolve \(Self.list) -", "joined").status == 0)
        #expect(try ada("get \(Self.list)").output == "joined" && paths("--conflicts").isEmpty)
        #expect(try ada("restore \(Self.list) \(older)").output.hasPrefix("Restored notes/list.txt: 4 bytes, version "))
    }

    // MARK: Folders of the disk

    private func tree(_ folder: String) throws -> [String] {
        let run = try kinfolk.shell(
            "cd \(folder) && find . -type f | sort | while read f; do echo \"$f $(cat \"$f\")\"; done"
        )
        return run.lines.map { String($0.dropFirst(2)) }
    }

    @Test func documentsAreExportedAndImportedAgain() throws {
        _ = try conflict()
        try save("create 'ä b/c.d.txt'", "deep")
        try save("create secret", "hidden")
        #expect(try ada("exclude secret").output == "secret is left out of backups and exports.\n")
        let run = try ada("export out")
        #expect(
            run.output == """
                Wrote 3 files to out: 2 documents, 1 conflict, 15 bytes.
                Left out: 1 excluded from backups, 0 for other reasons.
                --all also writes those that are excluded from backups.

                """,
            "\(run.errors)"
        )
        let conflict = "notes/list (conflict 1 of tablet).txt tablet"
        #expect(try tree("out") == [conflict, "notes/list.txt phone", "ä b/c.d.txt deep"])
        let all = try ada("export out --all --json").json()
        #expect(all["documents"] as? Int == 3 && all["conflicts"] as? Int == 1 && all["excluded"] as? Int == 0)
        #expect(try tree("out").contains("secret hidden"))
        #expect(try ada("exclude secret --include").output == "secret is in backups and exports.\n")
        let imported = try kinfolk.shell(
            "$kinfolk document import out --into in --container \(CommandLineTool.container) "
                + "--account grace@example.org"
        )
        #expect(
            imported.output.hasPrefix("Imported 4 files from out: 4 created, 0 saved, 21 bytes.\n"),
            "\(imported.errors)"
        )
        _ = try kinfolk.shell(
            "$kinfolk document export back --container \(CommandLineTool.container) --account grace@example.org"
        )
        #expect(try tree("back/in") == tree("out"))
        // The second time, only what is different is saved.
        #expect(try ada("import out --json").json()["unchanged"] as? Int == 3)
        _ = try kinfolk.shell("echo more >>out/secret")
        let again = try ada("import out --json").json()
        #expect(again["saved"] as? Int == 1 && again["created"] as? Int == 0 && again["unchanged"] as? Int == 3)
        #expect(try ada("get secret").output == "hiddenmore\n")
    }

    @Test func whatCannotBeADocumentIsLeftOut() throws {
        let made = try kinfolk.shell(
            """
            mkdir -p in/folder/empty && cd in && echo good >folder/good && echo top >top
            ln -s top link && ln -s folder linked && mkfifo pipe
            echo x >"$(printf 'bad\\tname')" && echo x >"$(printf 'bad\\351')" && mkdir "$(printf 'no\\001folder')"
            ln -s ../../kinfolk.db folder/store && cd .. && ln -s in entry
            """
        )
        #expect(made.status == 0, "\(made.errors)")
        let run = try ada("import entry --json")
        #expect(run.status == 0, "\(run.errors)")
        let json = try run.json()
        #expect(json["created"] as? Int == 2 && json["skipped_count"] as? Int == 7)
        let skipped = try #require(json["skipped"] as? [[String: Any]])
        let reasons = Dictionary(skipped.map { ($0["path"] as? String ?? "", $0["code"] as? String ?? "") }) { $1 }
        #expect(
            reasons == [
                "link": "link", "linked": "link", "folder/store": "link", "pipe": "specialFile",
                "bad\tname": "malformedName", "bad\u{fffd}": "malformedName", "no\u{1}folder": "malformedName",
            ]
        )
        #expect(try paths() == ["folder/good", "top"])
        let shown = try ada("import in")
        #expect(shown.output.contains("Unchanged: 2. Left out: 7.\n"), "\(shown.output)")
        #expect(shown.output.contains("bad\\u{9}name") && shown.output.contains("It is a symbolic link."))
    }

    @Test func theFilesOfTheStoreAreNeitherImportedNorReplaced() throws {
        let skipped = try #require(try ada("import . --json").json()["skipped"] as? [[String: Any]])
        #expect(skipped.contains { $0["path"] as? String == "kinfolk.key" && $0["code"] as? String == "inUse" })
        try save("create kinfolk.db", "not a store")
        let exported = try ada("export .")
        #expect(
            exported.status == 0 && exported.output.contains("kinfolk.db  It is a file of the store."),
            "\(exported.output)"
        )
    }

    // MARK: Watching

    /// What two watches show, the second one as JSON, while another device does what a script says. They watch when it begins.
    private func watch(_ script: String) throws -> (lines: [String], objects: [[String: Any]]) {
        let run = try kinfolk.shell(
            """
            $kinfolk document watch --device laptop \(Self.ada) >lines & watch=$!
            $kinfolk document watch --device laptop --json \(Self.ada) >objects & other=$!
            document() { command=$1; shift; $kinfolk document $command "$@" \(Self.ada) >done; }
            seen() { n=0; until grep -q "$1" lines && grep -q "$1" objects || [ $n -gt 600 ]; do sleep 0.1; n=$((n + 1)); done; }
            n=0
            until [ -s lines ] && [ -s objects ] || [ $n -gt 300 ]; do
                n=$((n + 1)); echo x | document create begin$n --device phone; sleep 0.2
            done
            \(script)
            kill -KILL $watch $other; wait $watch; echo $?; wait $other; echo $?
            """
        )
        #expect(run.output == "137\n137\n", "\(run.output) \(run.errors)")
        func lines(_ name: String) throws -> [String] {
            try String(contentsOfFile: kinfolk.folder.file(name), encoding: .utf8).split(separator: "\n").map(
                String.init
            )
            .filter { !$0.contains("begin") }
        }
        let objects = try lines("objects").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        return (try lines("lines"), objects)
    }

    @Test func changesOfOtherDevicesAreShown() throws {
        try save("create \(Self.list) --device phone", "one")
        let (lines, objects) = try watch(
            """
            document move \(Self.list) moved --device phone; seen moved
            echo x | document create own --device laptop
            document exclude moved --device phone; seen excluded
            document delete moved --device phone; seen deleted
            """
        )
        #expect(
            lines == [
                "changed  moved  from notes/list.txt", "changed  moved  (excluded)", "deleted  moved",
            ]
        )
        #expect(objects.compactMap { $0["kind"] as? String } == ["changed", "changed", "deleted"])
        #expect(objects.allSatisfy { $0["path"] as? String == "moved" && $0["id"] is String })
        #expect(objects[0]["moved_from"] as? String == Self.list && objects[1]["moved_from"] == nil)
        #expect((objects[1]["document"] as? [String: Any])?["is_excluded_from_backup"] as? Bool == true)
        #expect(objects[2]["document"] == nil)
    }

    @Test func aWatchEndsAfterItsCountAndWithTheAccount() throws {
        let run = try kinfolk.shell(
            """
            \(Self.patience) $kinfolk document watch --count 1 \(Self.ada) >one & watch=$!
            n=0
            until [ -s one ]; do
                n=$((n + 1)); echo x | $kinfolk document create begin$n \(Self.ada) >done; sleep 0.2
            done
            wait $watch; echo $?; grep -c . one
            \(Self.patience) $kinfolk document watch \(Self.ada) >two 2>errors & watch=$!
            until [ -s two ]; do
                n=$((n + 1)); echo x | $kinfolk document create begin$n \(Self.ada) >done; sleep 0.2
            done
            $kinfolk account suspend ada@example.com >done
            wait $watch; echo $?; cat errors
            """
        )
        #expect(run.output.hasPrefix("0\n1\n13\nError (notAuthenticated): "), "\(run.output) \(run.errors)")
    }
}
