import Glibc

/// The file with the configuration.
struct SettingsFile {
    static let manual = """
        CONFIGURATION
        Each option is also a variable, such as $KINFOLK_LISTEN for --listen, and a line in the file that --config names, such as \
        "listen = [::]:443". Options override variables, and variables override the file. An option that may be given several times has \
        several lines in the file, and commas in a variable. In the file, empty lines and lines that begin with # are ignored; an unknown \
        name is an error.
        """

    /// Each value with the number of its line.
    private(set) var values: [SettingName: [(value: String, line: Int)]] = [:]
    private(set) var problems: [String] = []

    init(path: String) {
        guard let bytes = SettingsFile.read(path) else {
            problems = ["The configuration file \(path) cannot be read: \(SystemError.text)."]
            return
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            problems = ["The configuration file \(path) is not UTF-8."]
            return
        }
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            read(trimmed(line), index + 1, path)
        }
    }

    private mutating func read(_ line: Substring, _ number: Int, _ path: String) {
        guard !line.isEmpty, line.first != "#" else { return }
        guard let equals = line.firstIndex(of: "=") else {
            return problems.append("Line \(number) of \(path) is not of the form \"name = value\".")
        }
        let name = String(trimmed(line[..<equals]))
        let value = String(trimmed(line[line.index(after: equals)...]))
        guard let setting = SettingName(rawValue: name) else {
            return problems.append("Line \(number) of \(path) has an unknown name: \(name).")
        }
        guard !value.isEmpty else { return problems.append("Line \(number) of \(path) has no value for \(name).") }
        if !setting.isList, let first = values[setting]?.first {
            return problems.append("Line \(number) of \(path) sets \(name), which line \(first.line) sets already.")
        }
        values[setting, default: []].append((value, number))
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
