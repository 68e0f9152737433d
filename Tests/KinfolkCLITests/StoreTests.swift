import Foundation
import KinfolkThreads
import TestSupport
import Testing

/// The store that a command uses, and the errors if there is none.
@Suite struct StoreTests {
    @Test func concurrentInitsMakeOneStore() throws {
        let kinfolk = try CommandLineTool()
        // A shell cannot wait for them: the test runner's threads block SIGCHLD, so dash would wait for ever.
        let runs = Lock<[Run]>([])
        try onThreads(6) { _ in
            let run = try kinfolk("init")
            runs.withLock { $0.append(run) }
        }
        let statuses = runs.withLock { $0.map(\.status) }
        #expect(statuses.count { $0 == 0 } == 1, "\(statuses)")
        #expect(statuses.count { $0 == 18 } == 5, "\(statuses)")
        #expect(runs.withLock { $0.count { $0.output.hasPrefix("Made the store") } } == 1)
    }

    @Test func initMakesAStoreAndAKeyThatOnlyTheOwnerCanRead() throws {
        let kinfolk = try CommandLineTool()
        let run = try kinfolk("init", "--json")
        #expect(run.status == 0)
        #expect(try run.json()["store"] as? String == "kinfolk.db")
        #expect(try run.json()["key"] as? String == "kinfolk.key")
        #expect(try kinfolk.folder.names() == ["kinfolk.db", "kinfolk.key"])
        #expect(try mode(of: kinfolk.folder.file("kinfolk.key")) == 0o600)
        #expect(try mode(of: kinfolk.folder.file("kinfolk.db")) == 0o600)
    }

    @Test func aPasswordOnTheCommandLineCausesAWarningAndIsNotShown() throws {
        let kinfolk = try CommandLineTool()
        // A socket on which no process listens.
        let address = "postgresql://ada:geheim@/people?host=/nowhere"
        for command in ["stats --store '\(address)'", "init --store '\(address)'", "copy '\(address)' copy.db"] {
            let run = try kinfolk.shell("$kinfolk \(command) --key-file a.key")
            #expect(run.status != 0)
            #expect(run.errors.contains("PGPASSFILE"))
            #expect(!run.errors.contains("geheim"))
        }
        let environment = try kinfolk("stats", "--key-file", "a.key", environment: ["KINFOLK_STORE": address])
        #expect(environment.status != 0)
        #expect(!environment.errors.contains("PGPASSFILE"))
        let without = try kinfolk("stats", "--store", "postgresql://ada@/people?host=/nowhere", "--key-file", "a.key")
        #expect(!without.errors.contains("PGPASSFILE"))
        for command in ["stats", "copy"] {
            #expect(try kinfolk(command, "--help").output.contains("PGPASSFILE"))
        }
    }

    @Test func keysInUnlockedMemoryCauseAWarning() throws {
        let kinfolk = try CommandLineTool()
        try kinfolk("init")
        // The limit does not apply to root.
        let run = try kinfolk.shell("ulimit -l 0; $kinfolk account list")
        let required = try kinfolk.shell("ulimit -l 0; $kinfolk account list --require-locked-memory")
        if geteuid() == 0 {
            #expect(run.errors.isEmpty)
            #expect(required.status == 0)
        } else {
            #expect(run.status == 0)
            #expect(run.errors.contains("ulimit -l"))
            #expect(required.status != 0)
            #expect(required.errors.contains("RLIMIT_MEMLOCK"))
        }
    }

    @Test func initDoesNotChangeAnExistingStore() throws {
        let kinfolk = try CommandLineTool()
        try kinfolk("init")
        let key = try bytes(of: kinfolk.folder.file("kinfolk.key"))
        let run = try kinfolk("init")
        #expect(run.status == 18)
        #expect(run.output.isEmpty)
        #expect(try bytes(of: kinfolk.folder.file("kinfolk.key")) == key)
    }

    @Test func theErrorForAMissingStoreSaysHowToMakeOne() throws {
        let kinfolk = try CommandLineTool()
        for command in [["container", "list"], ["account", "list"], ["account", "export", "a@example.com"]] {
            let run = try kinfolk.shell("$kinfolk \(command.joined(separator: " "))")
            #expect(run.status == 12)
            #expect(run.output.isEmpty)
            #expect(run.errors.contains("run \"kinfolk init\""))
        }
        #expect(try kinfolk.folder.names().isEmpty)
    }

    @Test func theOptionOverridesTheEnvironmentWhichOverridesTheFolder() throws {
        let kinfolk = try CommandLineTool()
        for store in ["kinfolk.db", "environment.db", "option.db"] {
            try kinfolk("init", "--store", store)
            try kinfolk("container", "create", "com.example.\(store.dropLast(3))", "--store", store)
        }
        let environment = ["KINFOLK_STORE": "environment.db"]
        #expect(try kinfolk("container", "list").output.contains("com.example.kinfolk"))
        #expect(try kinfolk("container", "list", environment: environment).output.contains("com.example.environment"))
        let run = try kinfolk("container", "list", "--store", "option.db", environment: environment)
        #expect(run.output.contains("com.example.option"))
        #expect(
            try kinfolk("container", "list", environment: ["KINFOLK_STORE": ""]).output.contains("com.example.kinfolk")
        )
    }

    @Test func aWrongAndAMissingKeyAreKeyMismatches() throws {
        let kinfolk = try CommandLineTool()
        try kinfolk("init")
        try kinfolk("init", "--store", "other.db")
        try FileManager.default.removeItem(atPath: kinfolk.folder.file("kinfolk.key"))
        #expect(try kinfolk("account", "list").status == 20)
        let (other, own) = (kinfolk.folder.file("other.key"), kinfolk.folder.file("kinfolk.key"))
        try FileManager.default.copyItem(atPath: other, toPath: own)
        let run = try kinfolk("account", "list", "--json")
        #expect(run.status == 20)
        #expect(try run.errorJSON()["error"] as? String == "keyMismatch")
    }

    @Test func withoutLibpqAServerIsUnavailableAndThePackageIsNamed() throws {
        let kinfolk = try CommandLineTool()
        try kinfolk("init")
        // A file that is no library hides the real one.
        _ = try kinfolk.file("libpq.so.5", "")
        let run = try kinfolk(
            "account",
            "list",
            "--store",
            "postgresql://kinfolk@/kinfolk",
            "--key-file",
            "kinfolk.key",
            environment: ["LD_LIBRARY_PATH": kinfolk.folder.path]
        )
        #expect(run.status == 19)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("libpq5"))
    }

    @Test func aFileThatIsNoStoreIsReportedAsSuch() throws {
        let kinfolk = try CommandLineTool()
        try kinfolk("init")
        _ = try kinfolk.file("kinfolk.db", String(repeating: "This is a text. ", count: 1_000))
        #expect(try kinfolk("account", "list").status == 21)
    }
}
