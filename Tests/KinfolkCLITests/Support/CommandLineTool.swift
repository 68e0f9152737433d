import Foundation
import TestSupport

/// The built command, run in a separate folder for each test. Its store is `kinfolk.db` there.
struct CommandLineTool {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The command: the one that `$KINFOLK` names, for example the release, or else the one in the folder of the executable that runs
    /// the tests.
    static let path =
        ProcessInfo.processInfo.environment["KINFOLK"]
        ?? URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appendingPathComponent("kinfolk-cli").path

    /// What `packaging/sanitize` sets: the command is built with the same sanitizer. It gets no other variable of the tests.
    private static let sanitizer = ProcessInfo.processInfo.environment.filter { $0.key == "LSAN_OPTIONS" }

    @discardableResult
    func callAsFunction(
        _ arguments: String...,
        input: String = "",
        environment: [String: String] = [:]
    ) throws -> Run {
        try run(CommandLineTool.path, arguments, input, environment)
    }

    func callAsFunction(arguments: [String]) throws -> Run { try run(CommandLineTool.path, arguments, "", [:]) }

    /// Runs a line of shell, in which `$kinfolk` is the command.
    func shell(_ script: String, environment: [String: String] = [:]) throws -> Run {
        try run("/bin/sh", ["-c", script], "", environment.merging(["kinfolk": CommandLineTool.path]) { $1 })
    }

    /// Runs a line of shell on a terminal of 80 columns, and types `input`. Returns everything that the terminal shows.
    func terminal(_ script: String, input: String = "", environment: [String: String] = [:]) throws -> Run {
        let variables = environment.merging(["kinfolk": CommandLineTool.path, "TERM": "xterm"]) { given, _ in given }
        let typescript = ["-q", "-e", "-c", "stty cols 80; \(script)", "/dev/null"]
        return try run("/usr/bin/script", typescript, input, variables)
    }

    /// Runs a line of shell on a terminal, and types each answer, with a line end, after its question is shown. Returns everything
    /// that the terminal shows.
    func typing(_ script: String, _ answers: [(question: String, answer: String)]) throws -> Run {
        let typing = answers.map { question, answer in
            """
            n=0
            until tail -c 40 typescript 2>/dev/null | grep -q -e '\(question)$' || [ $n -gt 1200 ]; do
                sleep 0.05; n=$((n + 1))
            done
            printf '%s\\n' '\(answer)' >&3

            """
        }
        return try shell(
            """
            mkfifo keys
            script -q -e -f -c "$script" typescript <keys >/dev/null & child=$!
            exec 3>keys
            \(typing.joined())
            wait $child; status=$?
            cat typescript; rm typescript keys
            exit $status
            """,
            environment: ["script": script.replacing("$kinfolk", with: CommandLineTool.path), "TERM": "xterm"]
        )
    }

    /// Makes a file and returns its name.
    func file(_ name: String, _ content: String) throws -> String {
        try Data(content.utf8).write(to: URL(fileURLWithPath: folder.file(name)))
        return name
    }

    private func run(
        _ executable: String,
        _ arguments: [String],
        _ input: String,
        _ environment: [String: String]
    ) throws -> Run {
        // Files instead of pipes, because pipes would have to be read while the command writes.
        let stem = folder.path + "." + UUID().uuidString
        let (inputPath, outputPath, errorPath) = (stem + ".in", stem + ".out", stem + ".err")
        defer { for path in [inputPath, outputPath, errorPath] { try? FileManager.default.removeItem(atPath: path) } }
        for (path, content) in [(inputPath, input), (outputPath, ""), (errorPath, "")] {
            try Data(content.utf8).write(to: URL(fileURLWithPath: path))
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        let usual = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"].merging(CommandLineTool.sanitizer) { $1 }
        process.environment = usual.merging(environment) { $1 }
        process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: inputPath))
        process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: outputPath))
        process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: errorPath))
        try process.run()
        process.waitUntilExit()
        return Run(
            status: process.terminationReason == .uncaughtSignal
                ? -process.terminationStatus : process.terminationStatus,
            output: String(decoding: try bytes(of: outputPath), as: UTF8.self),
            errors: String(decoding: try bytes(of: errorPath), as: UTF8.self)
        )
    }
}
