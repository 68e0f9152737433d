import Glibc

/// The lines "name = value" of a file.
struct SettingLines {
    struct Line {
        let name: String
        let value: String
        let number: Int
    }

    let path: String
    private(set) var lines: [Line] = []
    private(set) var problems: [String] = []

    init(path: String) {
        self.path = path
        guard let bytes = SettingLines.read(path) else {
            problems = ["The configuration file \(path) cannot be read: \(SystemError.text)."]
            return
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            problems = ["The configuration file \(path) is not UTF-8."]
            return
        }
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            read(trimmed(line), index + 1)
        }
    }

    private mutating func read(_ line: Substring, _ number: Int) {
        guard !line.isEmpty, line.first != "#" else { return }
        guard let equals = line.firstIndex(of: "=") else {
            return problems.append("Line \(number) of \(path) is not of the form \"name = value\".")
        }
        let name = String(trimmed(line[..<equals]))
        let value = String(trimmed(line[line.index(after: equals)...]))
        guard !value.isEmpty else { return problems.append("Line \(number) of \(path) has no value for \(name).") }
        lines.append(Line(name: name, value: value, number: number))
    }

    /// The value of a line that may be there once.
    mutating func value(_ name: String) -> String? {
        let found = lines.filter { $0.name == name }
        if found.count > 1 { problems.append("\(path) has several lines for \(name).") }
        return found.first?.value
    }

    /// The value of a line that must be there once.
    mutating func required(_ name: String) -> String {
        if let value = value(name) { return value }
        problems.append("\(path) has no line for \(name).")
        return ""
    }

    mutating func add(_ problem: String) { problems.append("\(path): \(problem)") }

    /// Each line whose name is none of these is a problem.
    mutating func refuseOthers(than isKnown: (String) -> Bool) {
        for line in lines where !isKnown(line.name) {
            problems.append("Line \(line.number) of \(path) has an unknown name: \(line.name).")
        }
    }

    private func trimmed(_ text: Substring) -> Substring {
        var text = text
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return text
    }

    private static func read(_ path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        var count = 0
        while count < bytes.count {
            let read = bytes[count...].withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) }
            guard read >= 0 else { return nil }
            guard read > 0 else { break }
            count += read
        }
        return Array(bytes[..<count])
    }
}
