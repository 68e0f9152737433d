import Foundation
import TestSupport
import Testing

/// `container quota`, `session storage`, and `check --repair`.
@Suite struct QuotaTests {
    private let kinfolk: CommandLineTool

    init() throws { kinfolk = try CommandLineTool.withPeople() }

    private func quotas(_ options: String...) throws -> [String: Any] {
        let run = try kinfolk(arguments: ["container", "quota", CommandLineTool.container, "--json"] + options)
        #expect(run.status == 0, "\(run.errors)")
        return try #require(try run.json()["quotas"] as? [String: Any])
    }

    @Test func quotasAreShownAndChanged() throws {
        let before = try quotas()
        #expect(before["asset"] as? Int == 250_000_000)
        for name in ["user", "public", "creator", "key_value_store"] { #expect(before[name] is NSNull) }
        let changed = try quotas("--user", "2GB", "--public=1tb", "--creator", "1234567", "--key-value-store", "64KB")
        #expect(changed["user"] as? Int == 2_000_000_000 && changed["public"] as? Int == 1_000_000_000_000)
        #expect(changed["creator"] as? Int == 1_234_567 && changed["asset"] as? Int == 250_000_000)
        #expect(changed["key_value_store"] as? Int == 64_000)
        let shown = try kinfolk("container", "quota", CommandLineTool.container)
        let limits = shown.lines.dropFirst().compactMap { $0.split(separator: " ").last.map(String.init) }
        #expect(limits == ["2GB", "1TB", "1234567", "250MB", "64KB"], "\(shown.output)")
        #expect(try quotas("--user", "none")["user"] is NSNull)
        #expect(try quotas("--environment", "development", "--user", "0")["user"] as? Int == 0)
        #expect(try quotas()["user"] is NSNull)
        #expect(try kinfolk("container", "quota", "com.example.other").status == 12)
    }

    @Test func aMalformedSizeChangesNothing() throws {
        for size in ["", "-1", "1.5GB", "1 GB", "GB", "1PB", "1K", "None", "9223372036854775808", "9999999999GB"] {
            let run = try kinfolk("container", "quota", CommandLineTool.container, "--user=\(size)")
            #expect(run.status == 64, "\(run.output)")
        }
        #expect(try quotas()["user"] is NSNull)
    }

    @Test func theUseOfAPersonIsShown() throws {
        let ada = "--container \(CommandLineTool.container) --account ada@example.com"
        _ = try quotas("--user", "2MB")
        let before = try kinfolk.shell("$kinfolk session storage \(ada) --json").json()
        #expect(before["private_bytes"] as? Int == 0 && before["private_quota"] as? Int == 2_000_000)
        _ = try kinfolk.shell("$kinfolk record save title=Groceries --type Note --database public \(ada)")
        let after = try kinfolk.shell("$kinfolk session storage \(ada) --json").json()
        #expect(after["private_bytes"] as? Int == 0)
        #expect((after["public_bytes"] as? Int ?? 0) > 0 && after["public_quota"] is NSNull)
        let shown = try kinfolk.shell("$kinfolk session storage \(ada)").lines
        #expect(shown.count == 3 && shown[1].hasSuffix("  2MB") && shown[2].hasSuffix("  none"), "\(shown)")
    }

    @Test func statisticsShowStoredBytesNextToTheQuotas() throws {
        let ada = "--container \(CommandLineTool.container) --account ada@example.com"
        _ = try kinfolk.file("photo", "photo")
        _ = try kinfolk.shell("$kinfolk asset save photo file photo --type Photo --database public \(ada)")
        _ = try quotas("--user", "2GB", "--public", "10GB", "--creator", "1GB")
        let json = try kinfolk("stats", CommandLineTool.container, "--json").json()
        #expect(json["assets"] as? Int == 1 && json["private_bytes"] as? Int == 0)
        let (all, files) = (json["public_bytes"] as? Int ?? 0, json["asset_bytes"] as? Int ?? 0)
        #expect(files > 4_096 && all > files)
        #expect((json["quotas"] as? [String: Any])?["creator"] as? Int == 1_000_000_000)
        let lines = try kinfolk("stats", CommandLineTool.container).lines
        #expect(lines.contains { $0.wholeMatch(of: #/bytes of private databases +0  at most 2GB a user/#) != nil })
        #expect(
            lines.contains {
                $0.wholeMatch(of: #/bytes of the public database +\d+  at most 10GB in all, 1GB a user/#) != nil
            },
            "\(lines)"
        )
        #expect(lines.contains { $0.wholeMatch(of: #/assets of records +1/#) != nil })
        #expect(lines.contains { $0.wholeMatch(of: #/  their bytes +\d+  at most 250MB each/#) != nil })
    }

    // MARK: Counts

    private func damage(_ change: String) throws {
        let ada = "--container \(CommandLineTool.container) --account ada@example.com"
        _ = try kinfolk.file("photo", "photo")
        _ = try kinfolk.shell("$kinfolk asset save photo file photo --type Photo --database public \(ada)")
        try RawDatabase(kinfolk.folder.file("kinfolk.db")).run(change)
    }

    @Test func wrongCountsOfBytesAreCorrected() throws {
        try damage("UPDATE record_bytes SET bytes = bytes + 1 WHERE kind = 0")
        let found = try kinfolk("check")
        #expect(found.status == 21 && found.errors.contains("kinfolk check --repair"), "\(found.errors)")
        let repaired = try kinfolk("check", "--repair")
        #expect(repaired.status == 0, "\(repaired.errors)")
        #expect(repaired.output.contains("The counts of stored bytes were wrong: they were counted again."))
        #expect(repaired.lines.last?.hasPrefix("kinfolk.db is sound: ") == true)
        let again = try kinfolk("check", "--repair", "--json")
        #expect(try again.status == 0 && again.json()["repaired"] as? Bool == false)
    }

    @Test func nothingIsCorrectedIfSomethingElseIsWrong() throws {
        try damage("UPDATE emails SET is_discoverable = 0")
        try RawDatabase(kinfolk.folder.file("kinfolk.db")).run("UPDATE record_bytes SET bytes = 7")
        let run = try kinfolk("check", "--repair", "--json")
        #expect(run.status == 21, "\(run.errors)")
        #expect(try run.json()["repaired"] as? Bool == false)
        #expect((try run.errorJSON()["reason"] as? String ?? "").contains("kinfolk restore"))
        let counts = try RawDatabase(kinfolk.folder.file("kinfolk.db")).value("SELECT max(bytes) FROM record_bytes")
        #expect(counts == "7")
        #expect(try kinfolk("check", "--repair", "--read-only").status == 64)
    }
}
