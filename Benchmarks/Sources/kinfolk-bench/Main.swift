import Glibc

/// Measures Kinfolk's most frequent work, and compares each figure with its floor.
@main
struct Main {
    static func main() {
        do {
            let options = try Options(Array(CommandLine.arguments.dropFirst()))
            if options.child.isEmpty { try run(options) } else { try Child.run(options.child) }
        } catch {
            Message.print("kinfolk-bench: \(error)")
            exit(1)
        }
    }

    private static func run(_ options: Options) throws {
        let benchmarks = Benchmark.all.filter { benchmark in
            options.selection.isEmpty
                // Measuring on a server, or the network service, takes longer than a minute.
                ? !(options.isQuick && ["postgresql", "service"].contains { benchmark.name.hasPrefix($0) })
                : options.selection.contains { benchmark.name.contains($0) }
        }
        guard !benchmarks.isEmpty else {
            throw Failure("ROWS matches none of these: \(Benchmark.all.map(\.name).joined(separator: " "))")
        }
        let scratch = try Folder.scratch(in: options.folder)
        defer { scratch.remove() }
        let setting = Setting(
            isQuick: options.isQuick,
            stores: try Folder(options.folder),
            scratch: scratch,
            library: options.library,
            postgresql: options.postgresql,
            python: options.python.map { Setting.PythonFiles(package: $0.package, scripts: $0.scripts) },
            service: options.service.map {
                Setting.ServicePrograms(server: $0.server, command: $0.command, floor: $0.floor)
            }
        )
        var report = try Report(json: options.json, markdown: options.markdown)
        let seconds = try Stopwatch.wall.time {
            for benchmark in benchmarks { for section in try benchmark.measure(setting) { report.add(section) } }
        }
        print("\n\(report.rowCount) rows, \(report.missedCount) goals missed, \(Int(seconds.rounded())) s")
    }
}
