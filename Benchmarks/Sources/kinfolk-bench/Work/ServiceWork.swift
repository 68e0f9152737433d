import Kinfolk

/// The network service, measured over sockets by the scripts in `Python/service`.
enum ServiceWork {
    enum Part: String {
        case reads, writes, upload, events, polls, people

        fileprivate var title: String {
            switch self {
            case .reads: "Service: records read"
            case .writes: "Service: records written"
            case .upload: "Service: files"
            case .events: "Service: server-sent events"
            case .polls: "Service: memory and long polls"
            case .people: "Service: contacts, and the start"
            }
        }
    }

    private static let size = 1_000_000

    static func measure(_ part: Part, _ setting: Setting) throws -> [Section] {
        guard let programs = setting.service, let python = setting.python else {
            throw Failure("The benchmarks of the service need --service and --python.")
        }
        let folder = try Folder(setting.scratch.file("service-\(part.rawValue)"))
        defer { folder.remove() }
        let output = try Command.output(
            of: [
                "python3", "\(python.scripts)/service", part.rawValue, "--kinfolkd", programs.server,
                "--kinfolk", programs.command, "--floor", programs.floor, "--bench", CommandLine.arguments[0],
                "--store", try store(part, in: folder, setting), "--size", "\(size)", "--scratch", folder.path,
            ] + (setting.isQuick ? ["--quick"] : [])
        )
        return [Section(title: part.title, rows: try output.split(separator: "\n").map { try row(String($0)) })]
    }

    /// A copy of a store, which the service may change.
    private static func store(_ part: Part, in folder: Folder, _ setting: Setting) throws -> String {
        switch part {
        case .people:
            let copy = PeopleStore(in: folder, count: size)
            try PeopleStore.ready(size, in: setting.stores).copy(to: copy)
            return copy.path
        case .reads, .writes, .upload, .events, .polls:
            return try RecordStore.ready(size, isPublic: true, in: setting.stores).copy(to: folder).path
        }
    }

    /// A line of the scripts: name, value, unit, floor, ratio, goal.
    private static func row(_ line: String) throws -> Row {
        let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard cells.count == 6, let value = Double(cells[1]), let unit = Unit(rawValue: cells[2]) else {
            throw Failure("A script printed no row: \(line)")
        }
        return Row(
            name: cells[0],
            value: value,
            unit: unit,
            floor: Double(cells[3]),
            ratio: Double(cells[4]),
            goal: try goal(cells[5])
        )
    }

    private static func goal(_ text: String) throws -> Goal? {
        guard !text.isEmpty else { return nil }
        let kinds: [(String, (Double) -> Goal)] = [
            ("ratio>=", Goal.ratioAtLeast), ("ratio<=", Goal.ratioAtMost), (">=", Goal.atLeast), ("<=", Goal.atMost),
        ]
        for (prefix, kind) in kinds where text.hasPrefix(prefix) {
            if let limit = Double(text.dropFirst(prefix.count)) { return kind(limit) }
        }
        throw Failure("A script printed no goal: \(text)")
    }
}
