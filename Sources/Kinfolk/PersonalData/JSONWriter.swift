/// Writes JSON (RFC 8259), indented by two spaces.
struct JSONWriter {
    private(set) var text = ""
    private var depth = 0

    mutating func object(_ members: [(String, (inout JSONWriter) -> Void)]) {
        bracketed("{", "}", members) { writer, member in
            writer.string(member.0)
            writer.text += ": "
            member.1(&writer)
        }
    }

    mutating func array<Element>(_ elements: [Element], _ write: (inout JSONWriter, Element) -> Void) {
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
            text += index == 0 ? "\n" : ",\n"
            text += String(repeating: "  ", count: depth)
            write(&self, element)
        }
        depth -= 1
        if !elements.isEmpty { text += "\n" + String(repeating: "  ", count: depth) }
        text += close
    }

    mutating func string(_ value: String) {
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            // Controls by the standard; the line separators because some readers take JSON for JavaScript.
            case "\u{0}"..."\u{1f}", "\u{7f}", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }

    mutating func integer(_ value: Int64) { text += String(value) }
    mutating func boolean(_ value: Bool) { text += value ? "true" : "false" }
    mutating func null() { text += "null" }

    /// A number, or for what JSON has no number for, a text: `nan`, `inf`, `-inf`.
    mutating func double(_ value: Double) {
        if value.isFinite { text += value.description } else { string(value.description) }
    }
}
