/// Writes JSON (RFC 8259) as UTF-8.
package struct JSONWriter {
    package private(set) var bytes: [UInt8] = []
    private var depth = 0
    private let isIndented: Bool

    /// - Parameter isIndented: Whether each member and each element has a line of its own, indented by two spaces. Otherwise all is one
    ///   line.
    package init(isIndented: Bool = true) { self.isIndented = isIndented }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    package mutating func object(_ members: [(String, (inout JSONWriter) -> Void)]) {
        self.members(members) { $1(&$0) }
    }

    /// An object whose members are values of any kind.
    package mutating func members<Value>(_ members: [(String, Value)], _ write: (inout JSONWriter, Value) -> Void) {
        bracketed("{", "}", members) { writer, member in
            writer.string(member.0)
            writer.append(": ")
            write(&writer, member.1)
        }
    }

    package mutating func array<Element>(_ elements: [Element], _ write: (inout JSONWriter, Element) -> Void) {
        bracketed("[", "]", elements, write)
    }

    private mutating func bracketed<Element>(
        _ open: StaticString,
        _ close: StaticString,
        _ elements: [Element],
        _ write: (inout JSONWriter, Element) -> Void
    ) {
        append(open)
        depth += 1
        var isFirst = true
        for element in elements {
            if !isFirst { append(isIndented ? "," : ", ") }
            isFirst = false
            breakLine()
            write(&self, element)
        }
        depth -= 1
        if !isFirst { breakLine() }
        append(close)
    }

    private mutating func append(_ text: StaticString) { text.withUTF8Buffer { bytes.append(contentsOf: $0) } }

    private mutating func breakLine() {
        guard isIndented else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
    }

    package mutating func string(_ value: String) {
        var value = value
        bytes.append(UInt8(ascii: "\""))
        value.withUTF8 { utf8 in
            if utf8.allSatisfy(JSONWriter.isPlain) { bytes.append(contentsOf: utf8) } else { escaped(utf8) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether a byte is an ASCII character that needs no escape.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x20..<0x7f).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private mutating func escaped(_ utf8: UnsafeBufferPointer<UInt8>) {
        for scalar in String(decoding: utf8, as: UTF8.self).unicodeScalars {
            switch scalar {
            case "\"": append("\\\"")
            case "\\": append("\\\\")
            case "\n": append("\\n")
            // The standard requires C0 controls to be escaped. The other controls and those that change the text direction are
            // escaped because JSON is also read on terminals; the line separators, because some readers parse it as JavaScript.
            case "\u{0}"..."\u{1f}", "\u{7f}"..."\u{9f}", "\u{61c}", "\u{200e}", "\u{200f}", "\u{2028}"..."\u{202e}",
                "\u{2066}"..."\u{2069}":
                let digits = String(scalar.value, radix: 16)
                bytes.append(contentsOf: ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
            default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
    }

    package mutating func integer(_ value: Int64) { bytes.append(contentsOf: value.description.utf8) }
    package mutating func boolean(_ value: Bool) { append(value ? "true" : "false") }
    package mutating func null() { append("null") }

    /// A number; values that JSON cannot represent are written as text: `nan`, `inf`, `-inf`.
    package mutating func double(_ value: Double) {
        if value.isFinite { bytes.append(contentsOf: value.description.utf8) } else { string(value.description) }
    }
}
