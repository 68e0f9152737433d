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
    /// In the order of the lines.
    var problems: [String] {
        found.enumerated().sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }.map(\.element.text)
    }
    private var found: [(line: Int, text: String)] = []
    /// Whether the file cannot be read at all.
    private var isUnreadable = false

    init(path: String) {
        self.path = path
        guard let bytes = SettingLines.read(path) else {
            found = [(0, "The configuration file \(path) cannot be read: \(SystemError.text).")]
            isUnreadable = true
            return
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            found = [(0, "The configuration file \(path) is not UTF-8.")]
            isUnreadable = true
            return
        }
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            read(trimmed(line), index + 1)
        }
    }

    private mutating func read(_ line: Substring, _ number: Int) {
        guard !line.isEmpty, line.first != "#" else { return }
        guard let equals = line.firstIndex(of: "=") else {
            return add("is not of the form \"name = value\".", line: number)
        }
        let name = String(trimmed(line[..<equals]))
        let value = String(trimmed(line[line.index(after: equals)...]))
        guard !value.isEmpty else { return add("has no value for \(name).", line: number) }
        lines.append(Line(name: name, value: value, number: number))
    }

    /// The value of a line that may be there once.
    mutating func value(_ name: String) -> String? {
        let found = lines.filter { $0.name == name }
        for line in found.dropFirst() { add("is another one for \(name).", line: line.number) }
        return found.first?.value
    }

    /// The value of a line that must be there once.
    mutating func required(_ name: String) -> String {
        if let value = value(name) { return value }
        add("There is no line for \(name).")
        return ""
    }

    /// A problem of the file as a whole.
    mutating func add(_ problem: String) {
        if !isUnreadable { found.append((.max, "\(path): \(problem)")) }
    }

    /// A problem of a line.
    mutating func add(_ problem: String, line: Int) { found.append((line, "Line \(line) of \(path) \(problem)")) }

    /// Each line whose name is none of these is a problem.
    mutating func refuseOthers(than isKnown: (String) -> Bool) {
        for line in lines where !isKnown(line.name) {
            add("has an unknown name: \(line.name).", line: line.number)
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
