import Foundation
import TestSupport
import Testing

/// `asset`, and what other commands do with the files of records.
@Suite struct AssetTests {
    private static let short = "Hello"
    private static let shortHash = "185f8db32271fe25f561a6fc938b2e264306ec304eda518007d1764826381969"

    private let kinfolk: CommandLineTool

    init() throws {
        kinfolk = try CommandLineTool.withPeople()
        for field in ["title string", "file asset", "files assetList"] {
            _ = try kinfolk.shell("$kinfolk schema add-field \(CommandLineTool.container) \(field) --record-type Note")
        }
        _ = try kinfolk.file("short.txt", Self.short)
    }

    private static let ada = "--container \(CommandLineTool.container) --account ada@example.com"

    /// Runs a command for Ada, in the private database unless another is given.
    @discardableResult
    private func ada(_ command: String, in database: String = "private") throws -> Run {
        try kinfolk.shell("$kinfolk \(command) --database \(database) \(Self.ada)")
    }

    /// Makes a file of several chunks, and returns its name.
    private func long(_ name: String = "long.bin", count: Int = 2_500_000) throws -> String {
        var generator = SeededGenerator(seed: UInt64(count))
        let bytes = (0..<count / 8 + 1).flatMap { _ in withUnsafeBytes(of: generator.next(), Array.init) }
        try Data(bytes.prefix(count)).write(to: URL(fileURLWithPath: kinfolk.folder.file(name)))
        return name
    }

    private func rows(of table: String) throws -> Int {
        try #require(
            RawDatabase(kinfolk.folder.file("kinfolk.db")).value("SELECT count(*) FROM \(table)").flatMap(Int.init)
        )
    }

    // MARK: Saving

    @Test func aFileIsSavedAndItsSizeAndHashAreShown() throws {
        let saved = try ada("asset save list file short.txt --type Note")
        #expect(saved.status == 0, "\(saved.errors)")
        #expect(
            saved.output == "Saved short.txt in the field file of list: 5 bytes.\nSHA-256 \(Self.shortHash)\n"
        )
        #expect(try ada("asset show list file").lines.last == "   5  \(Self.shortHash)")
        let shown = try ada("asset show list file --json").json()
        #expect(shown["type"] as? String == "asset" && shown["field"] as? String == "file")
        let assets = try #require(shown["assets"] as? [[String: Any]])
        #expect(assets.count == 1 && assets[0]["size"] as? Int == 5)
        #expect(assets[0]["sha256"] as? String == Self.shortHash)
        #expect(try ada("record fetch list").lines.last?.hasSuffix("5 bytes") == true)
        let fields = try ada("record fetch list --json").json()["fields"] as? [String: [String: Any]]
        #expect((fields?["file"]?["value"] as? [String: Any])?["sha256"] as? String == Self.shortHash)
    }

    @Test func theAnswerInJSONHasTheRecord() throws {
        let run = try ada("asset save list file short.txt --type Note --json")
        let answer = try run.json()
        #expect(answer["size"] as? Int == 5 && answer["sha256"] as? String == Self.shortHash)
        let record = try #require(answer["record"] as? [String: Any])
        let tag = try #require(record["change_tag"] as? String)
        #expect(try ada("asset save list file short.txt --change-tag \(tag)").status == 0)
        let stale = try ada("asset save list file short.txt --change-tag \(tag)")
        #expect(stale.status == 15 && stale.errors.contains("kinfolk record fetch"), "\(stale.errors)")
    }

    @Test func theRecordMustExistUnlessATypeIsGiven() throws {
        let missing = try ada("asset save list file short.txt")
        #expect(missing.status == 12 && missing.errors.contains("give --type"), "\(missing.errors)")
        #expect(try rows(of: "assets") == 0)
        try ada("record save title=Groceries --type Note --name list")
        #expect(try ada("asset save list file short.txt").status == 0)
        #expect(try ada("record fetch list").output.contains("Groceries"))
    }

    @Test func aPipeIsSavedFromStandardInput() throws {
        let run = try kinfolk.shell(
            "(head -c 700000 /dev/zero; sleep 0.5; head -c 600001 /dev/zero) | "
                + "$kinfolk asset save list file - --type Note --database private \(Self.ada)"
        )
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.hasPrefix("Saved standard input in the field file of list: 1300001 bytes.\n"))
        let sums = try kinfolk.shell(
            "head -c 1300001 /dev/zero | sha256sum; "
                + "$kinfolk asset fetch list file --database private \(Self.ada) | sha256sum"
        )
        #expect(sums.lines.count == 2 && sums.lines[0] == sums.lines[1], "\(sums.errors)")
        #expect(try ada("asset save list file - </dev/null").status == 0)
        #expect(try ada("asset show list file --json").output.contains("\"size\": 0"))
        #expect(try ada("asset save list file - <.").status == 11)
        #expect(try ada("asset save list file - <&-").status != 0)
        #expect(try ada("asset save list file - --passphrase </dev/null").status == 64)
    }

    @Test func onlyARegularFileIsSaved() throws {
        let mistakes: [(file: String, status: Int32, words: String)] = [
            ("missing.jpg", 30, "There is no file missing.jpg."), (".", 11, ". is not a regular file."),
            ("''", 11, "A path is not empty"),
        ]
        for (file, status, words) in mistakes {
            let run = try ada("asset save list file \(file) --type Note")
            #expect(run.status == status && run.errors.contains(words), "\(run.errors)")
        }
        #expect(try rows(of: "assets") == 0)
    }

    @Test func aFieldOfAnotherTypeIsRefusedBeforeTheFileIsStored() throws {
        try ada("record save title=Groceries --type Note --name list")
        for command in ["title short.txt", "files short.txt --index 0", "1a short.txt"] {
            let run = try ada("asset save list \(command)")
            #expect([11, 12].contains(run.status), "\(run.errors)")
        }
        #expect(try rows(of: "assets") == 0)
        // Whether the schema has the field is known when the record is saved.
        let unknown = try ada("asset save list nosuch short.txt")
        #expect(unknown.status == 11 && unknown.errors.contains("schema add-field"), "\(unknown.errors)")
        #expect(unknown.errors.contains("deleted after 24 hours"))
        #expect(try ada("asset save list file short.txt --append --index 0").status == 64)
        #expect(try ada("asset save list file short.txt --index=-1").status == 64)
        #expect(try ada("asset save list file").status == 64)
    }

    @Test func filesAreAppendedToAListAndReplacedInIt() throws {
        for count in 1...3 {
            let run = try ada("asset save list files \(long("\(count)", count: count)) --append --type Note")
            #expect(run.status == 0, "\(run.errors)")
        }
        func sizes() throws -> [Int] {
            let assets = try ada("asset show list files --json").json()["assets"] as? [[String: Any]] ?? []
            return assets.compactMap { $0["size"] as? Int }
        }
        #expect(try sizes() == [1, 2, 3])
        #expect(try ada("asset show list files").lines.first == "INDEX  SIZE  SHA-256")
        #expect(try ada("asset save list files short.txt --index 1").status == 0)
        #expect(try sizes() == [1, 5, 3])
        #expect(try ada("asset fetch list files --index 1").output == Self.short)
        for (command, status) in [
            ("save list files short.txt", 11), ("save list files short.txt --index 3", 12), ("fetch list files", 11),
            ("fetch list files --index 3", 12),
        ] as [(String, Int32)] {
            let run = try ada("asset \(command)")
            #expect(run.status == status && run.errors.contains("index"), "\(run.errors)")
        }
        #expect(try rows(of: "assets") == 3)
        try ada("asset save list file short.txt")
        #expect(try ada("asset save list file short.txt --append").status == 11)
        #expect(try ada("asset fetch list file --index 0").status == 11)
    }

    /// The process ends afterwards, and so the chunks must be gone.
    @Test func aDeletedFileLeavesNothing() throws {
        try ada("asset save list file \(long()) --type Note")
        #expect(try rows(of: "asset_chunks") == 10)
        try ada("record delete list")
        #expect(try rows(of: "asset_chunks") == 0)
    }

    @Test func aFileIsSavedInAZone() throws {
        _ = try kinfolk.shell("$kinfolk zone save Notes \(Self.ada)")
        #expect(try ada("asset save list file short.txt --type Note --zone Notes").status == 0)
        #expect(try ada("asset fetch list file --zone Notes").output == Self.short)
        #expect(try ada("asset fetch list file").status == 12)
        let nowhere = try ada("asset save list file short.txt --type Note --zone Nowhere")
        #expect(nowhere.status == 27 && nowhere.errors.contains("kinfolk zone save"), "\(nowhere.errors)")
    }

    // MARK: Fetching

    @Test func aFileIsFetchedAsItWasSaved() throws {
        try ada("asset save list file \(long()) --type Note")
        let fetched = try ada("asset fetch list file copy.bin")
        #expect(fetched.status == 0 && fetched.output == "Wrote 2500000 bytes to copy.bin.\n", "\(fetched.errors)")
        #expect(try kinfolk.shell("cmp long.bin copy.bin && stat -c %a copy.bin").output == "644\n")
        for destination in ["", "-"] {
            let run = try ada("asset fetch list file \(destination) >piped.bin")
            #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
            #expect(try kinfolk.shell("cmp long.bin piped.bin").status == 0)
        }
        let json = try ada("asset fetch list file copy.bin --json").json()
        #expect(json["bytes"] as? Int == 2_500_000 && json["file"] as? String == "copy.bin")
        #expect(try kinfolk.shell("ls").output.split(separator: "\n").allSatisfy { !$0.hasSuffix(".new") })
    }

    @Test func aPartIsFetched() throws {
        try ada("asset save list file \(long()) --type Note")
        let whole = try Data(contentsOf: URL(fileURLWithPath: kinfolk.folder.file("long.bin")))
        let parts: [(Int, Int)] = [(262_143, 2), (262_144, 300_000), (2_499_999, 5), (.max, .max)]
        for (offset, length) in parts {
            let run = try ada("asset fetch list file part.bin --offset \(offset) --length \(length)")
            #expect(run.status == 0, "\(run.errors)")
            let part = try Data(contentsOf: URL(fileURLWithPath: kinfolk.folder.file("part.bin")))
            #expect(Array(part) == Array(whole.dropFirst(min(offset, whole.count)).prefix(length)))
            #expect(run.output == "Wrote \(part.count) \(part.count == 1 ? "byte" : "bytes") to part.bin.\n")
        }
        for option in ["--offset=-1", "--length=-1", "--index=-1", "--offset x"] {
            #expect(try ada("asset fetch list file \(option)").status == 64, "\(option)")
        }
    }

    @Test func aFileThatExistsIsReplacedButNothingElse() throws {
        try ada("asset save list file short.txt --type Note")
        _ = try kinfolk.shell("echo old >copy.txt; ln -s copy.txt link")
        #expect(try ada("asset fetch list file copy.txt").status == 0)
        #expect(try kinfolk.shell("cat copy.txt").output == Self.short)
        for file in ["link", ".", "kinfolk.db"] {
            let run = try ada("asset fetch list file \(file)")
            #expect(run.status == 11, "\(file): \(run.errors)")
        }
        #expect(try ada("asset fetch list file missing/copy.txt").status == 12)
    }

    @Test func whatIsMissingIsSaid() throws {
        try ada("record save title=Groceries --type Note --name list")
        for command in ["show", "fetch"] {
            #expect(try ada("asset \(command) nosuch file").status == 12)
            let missing = try ada("asset \(command) list file")
            #expect(missing.status == 12 && missing.errors.contains("no field file"), "\(missing.errors)")
            let other = try ada("asset \(command) list title")
            #expect(other.status == 11 && other.errors.contains("its type is string"), "\(other.errors)")
        }
    }

    @Test func anOutputThatCannotBeWrittenFails() throws {
        try ada("asset save list file \(long()) --type Note")
        #expect(try ada("asset fetch list file >/dev/full").status == 74)
        // A reader that has enough ends the command quietly.
        let head = try kinfolk.shell(
            "$kinfolk asset fetch list file --database private \(Self.ada) | head -c 5 | wc -c"
        )
        #expect(head.output.contains("5") && head.errors.isEmpty)
    }

    @Test func aTerminalGetsBytesOnlyIfItIsNamed() throws {
        try ada("asset save list file short.txt --type Note")
        let options = "--database private \(Self.ada)"
        let refused = try kinfolk.terminal("$kinfolk asset fetch list file \(options)")
        #expect(refused.status == 64 && refused.output.contains("Standard output is a terminal"), "\(refused.output)")
        #expect(try kinfolk.terminal("$kinfolk asset fetch list file - \(options)").output.contains(Self.short))
    }

    @Test func aDamagedFileIsNotWritten() throws {
        try ada("asset save list file \(long()) --type Note")
        try RawDatabase(kinfolk.folder.file("kinfolk.db")).run("DELETE FROM asset_chunks WHERE chunk = 7")
        let run = try ada("asset fetch list file copy.bin")
        #expect(run.status == 21, "\(run.errors)")
        #expect(try kinfolk("account", "export", "ada@example.com", "--archive", "copy.tar").status == 21)
        #expect(try kinfolk.shell("ls -A | grep -c copy").output == "0\n")
    }

    @Test func aThiefOfTheStoreReadsNothingOfAFile() throws {
        _ = try kinfolk.file("secret.txt", String(repeating: "Per aspera ad astra. ", count: 50_000))
        try ada("asset save list file secret.txt --type Note")
        #expect(try kinfolk.shell("grep -l aspera kinfolk.db* secret.txt").output == "secret.txt\n")
    }

    // MARK: Other commands

    @Test func aFileIsNotSetByOtherCommands() throws {
        for command in ["record save file:asset=short.txt --type Note", "record query Note 'file = %@' :asset=x"] {
            let run = try ada(command)
            #expect(run.status == 11 && run.errors.contains("\"kinfolk asset save\""), "\(run.errors)")
        }
        try ada("asset save list file short.txt --type Note")
        let record = try ada("record fetch list --json").json()
        let fields = try #require(record["fields"] as? [String: Any])
        let line: [String: Any] = ["operation": "forceUpdate", "name": "list", "type": "Note", "fields": fields]
        let text = String(decoding: try JSONSerialization.data(withJSONObject: line), as: UTF8.self)
        _ = try kinfolk.file("batch.jsonl", text)
        let run = try ada("record batch batch.jsonl")
        #expect(run.status == 11 && run.errors.contains("leave it out"), "\(run.errors)")
        // A field that is left out stays.
        #expect(try ada("record save title=Groceries --name list").status == 0)
        #expect(try ada("asset fetch list file").output == Self.short)
    }

    @Test func anArchiveHasTheFilesOfAPerson() throws {
        try ada("asset save list file \(long()) --type Note")
        try ada("asset save photo file short.txt --type Note", in: "public")
        let unpack = "rm -rf out && mkdir out && tar -xf a.tar -C out && sha256sum long.bin short.txt out/assets/*"
        for command in ["account export ada@example.com", "session export \(Self.ada)"] {
            let run = try kinfolk.shell("$kinfolk \(command) --archive a.tar && \(unpack) && stat -c %a a.tar")
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output.contains("Wrote ") && run.lines.last == "600")
            let sums = run.lines.dropFirst().dropLast().map { String($0.prefix(64)) }
            #expect(sums.count == 4 && Set(sums).count == 2, "\(run.output)")
            let json = try kinfolk.shell("$kinfolk \(command) | cmp - out/export.json")
            #expect(json.status == 0, "\(json.errors)")
            #expect(try kinfolk.shell("cat out/export.json").output.contains(Self.shortHash))
            let piped = try kinfolk.shell("$kinfolk \(command) --archive - | tar -tf -")
            #expect(piped.lines.first == "export.json" && piped.lines.count == 3, "\(piped.errors)")
            #expect(try kinfolk.shell("$kinfolk \(command) --archive - >/dev/full").status == 74)
            let answer = try kinfolk.shell("$kinfolk \(command) --archive a.tar --json").json()
            #expect(answer["bytes"] as? Int ?? 0 > 2_500_000)
        }
        for (file, status) in [("kinfolk.db", 11), ("/dev/null", 11), (".", 11), ("no/a.tar", 12)] as [(String, Int32)]
        {
            #expect(try kinfolk("account", "export", "ada@example.com", "--archive", file).status == status, "\(file)")
        }
    }

    // MARK: Quotas

    @Test func aFileBeyondAQuotaIsNotStored() throws {
        _ = try kinfolk("container", "quota", CommandLineTool.container, "--user", "1MB", "--asset", "3MB")
        let run = try ada("asset save list file \(long()) --type Note")
        #expect(run.status == 28 && run.errors.contains("quota of the user"), "\(run.errors)")
        let piped = try ada("asset save list file - --type Note <long.bin")
        #expect(piped.status == 28, "\(piped.errors)")
        #expect(try rows(of: "assets") == 0 && rows(of: "asset_chunks") == 0)
        _ = try kinfolk("container", "quota", CommandLineTool.container, "--user", "none", "--asset", "2499999")
        let large = try ada("asset save list file long.bin --type Note")
        #expect(large.status == 16 && large.errors.contains("kinfolk container quota"), "\(large.errors)")
    }
}
