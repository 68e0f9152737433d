import Glibc

/// Files of the system that have a name and a value on each line.
enum TextFile {
    /// The text after the colon in the first line that begins with `name`.
    static func value(of name: String, in path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 4_096)
        while fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            guard text.hasPrefix(name), let colon = text.firstIndex(of: ":") else { continue }
            return text[text.index(after: colon)...].split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        return nil
    }
}
