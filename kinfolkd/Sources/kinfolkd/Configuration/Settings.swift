import Glibc

/// The values of all settings, from the command line, the environment and the file.
struct Settings {
    /// A value, and where it was found.
    struct Value {
        let text: String
        let source: String
    }

    private var values: [SettingName: [Value]] = [:]
    private(set) var problems: [String] = []

    init(_ options: ServiceOptions) {
        let given = options.given
        let file = (options.config ?? Settings.variable("KINFOLK_CONFIG")).map {
            (path: $0, file: SettingsFile(path: $0))
        }
        problems = file?.file.problems ?? []
        for name in SettingName.allCases {
            if let typed = given[name] {
                values[name] = typed.map { Value(text: $0, source: "--\(name.rawValue)") }
            } else if let variable = Settings.variable(name.variable) {
                let parts = name.isList ? variable.split(separator: ",").map(String.init) : [variable]
                values[name] = parts.map { Value(text: $0, source: "$\(name.variable)") }
            } else if let file, let lines = file.file.values[name] {
                values[name] = lines.map { Value(text: $0.value, source: "line \($0.line) of \(file.path)") }
            }
        }
    }

    func all(_ name: SettingName) -> [Value] { values[name] ?? [] }

    func text(_ name: SettingName) -> String? { values[name]?.first?.text }

    /// The value as something else. If `parse` returns nil, that is a problem.
    mutating func parsed<Result>(_ name: SettingName, _ form: String, _ parse: (String) -> Result?) -> Result? {
        guard let value = values[name]?.first else { return nil }
        if let result = parse(value.text) { return result }
        problems.append("\(value.source): \"\(value.text)\" is not \(form).")
        return nil
    }

    mutating func all<Result>(_ name: SettingName, _ form: String, _ parse: (String) -> Result?) -> [Result] {
        all(name).compactMap { value in
            if let result = parse(value.text) { return result }
            problems.append("\(value.source): \"\(value.text)\" is not \(form).")
            return nil
        }
    }

    mutating func add(_ problem: String) { problems.append(problem) }

    private static func variable(_ name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        let text = String(cString: value)
        return text.isEmpty ? nil : text
    }
}
