/// Writes JSON (RFC 8259), indented by two spaces.
package struct JSONWriter {
    package private(set) var text = ""
    private var depth = 0
    private let isIndented: Bool

    /// - Parameter isIndented: Whether each member and each element has a line of its own. Otherwise all is one line.
    package init(isIndented: Bool = true) { self.isIndented = isIndented }

    package mutating func object(_ members: [(String, (inout JSONWriter) -> Void)]) {
        bracketed("{", "}", members) { writer, member in
            writer.string(member.0)
            writer.text += ": "
            member.1(&writer)
        }
    }

    package mutating func array<Element>(_ elements: [Element], _ write: (inout JSONWriter, Element) -> Void) {
        bracketed("[", "]", elements, write)
    }

    private mutating func bracketed<Element>(
        _ open: String,
        _ close: String,
        _ elements: [Element],
        _ write: (inout JSONWriter, Element) -> Void
    ) {
        text += open
        depth += 1
        for (index, element) in elements.enumerated() {
            if index > 0 { text += isIndented ? "," : ", " }
            breakLine()
            write(&self, element)
        }
        depth -= 1
        if !elements.isEmpty { breakLine() }
        text += close
    }

    private mutating func breakLine() {
        if isIndented { text += "\n" + String(repeating: "  ", count: depth) }
    }

    package mutating func string(_ value: String) {
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            // The standard requires C0 controls to be escaped. The other controls and those that change the text direction are
            // escaped because JSON is also read on terminals; the line separators, because some readers parse it as JavaScript.
            case "\u{0}"..."\u{1f}", "\u{7f}"..."\u{9f}", "\u{61c}", "\u{200e}", "\u{200f}", "\u{2028}"..."\u{202e}",
                "\u{2066}"..."\u{2069}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }

    package mutating func integer(_ value: Int64) { text += String(value) }
    package mutating func boolean(_ value: Bool) { text += value ? "true" : "false" }
    package mutating func null() { text += "null" }

    /// A number; values that JSON cannot represent are written as text: `nan`, `inf`, `-inf`.
    package mutating func double(_ value: Double) {
        if value.isFinite { text += value.description } else { string(value.description) }
    }
}
