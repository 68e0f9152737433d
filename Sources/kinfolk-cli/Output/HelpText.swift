/// A page of help as it is shown. The parser wraps the whole page except the usage.
struct HelpText {
    static let width = 80

    let text: String

    init(_ page: String) {
        text = page.split(separator: "\n", omittingEmptySubsequences: false).map(HelpText.wrapped).joined(
            separator: "\n"
        )
    }

    private static func wrapped(_ line: Substring) -> String {
        guard line.count > width, let heading = ["USAGE: ", "Usage: "].first(where: line.hasPrefix) else {
            return String(line)
        }
        let indent = String(repeating: " ", count: heading.count)
        var (lines, last) = ([String](), heading)
        for part in parts(line.dropFirst(heading.count)) {
            let isFirst = last.last == " "
            if !isFirst && last.count + 1 + part.count > width {
                lines.append(last)
                last = indent + part
            } else {
                last += (isFirst ? "" : " ") + part
            }
        }
        return (lines + [last]).joined(separator: "\n")
    }

    /// Parts of the usage that must stay on one line: a word of the command's name, an option in brackets, an option and its value.
    private static func parts(_ usage: Substring) -> [String] {
        var parts: [String] = []
        var depth = 0
        for word in usage.split(separator: " ") {
            let isValue = word.hasPrefix("<") && parts.last.map { $0.hasPrefix("-") && !$0.contains(" ") } == true
            if let last = parts.indices.last, depth > 0 || isValue {
                parts[last] += " " + word
            } else {
                parts.append(String(word))
            }
            depth += word.count { $0 == "[" } - word.count { $0 == "]" }
        }
        return parts
    }
}
