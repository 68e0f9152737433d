/// A JSON value. The members of an object keep the order in which they are written.
// Sendable is explicit, because Swift 6.3 may report a circular reference where it infers it for an enum that contains itself.
package indirect enum JSON: Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case double(Double)
    case string(String)
    case array([JSON])
    case object([(String, JSON)])

    package static func count(_ count: Int) -> JSON { .integer(Int64(count)) }
    package static func text(_ value: some CustomStringConvertible) -> JSON { .string(value.description) }

    /// The document, indented, with a line end.
    package var document: String { text(isIndented: true) + "\n" }

    /// The value on one line, with a line end.
    package var line: String { text(isIndented: false) + "\n" }

    /// The value on one line, in UTF-8.
    package var bytes: [UInt8] {
        var writer = JSONWriter(isIndented: false)
        write(to: &writer)
        return writer.bytes
    }

    private func text(isIndented: Bool) -> String {
        var writer = JSONWriter(isIndented: isIndented)
        write(to: &writer)
        return writer.text
    }

    private func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.null()
        case .boolean(let value): writer.boolean(value)
        case .integer(let value): writer.integer(value)
        case .double(let value): writer.double(value)
        case .string(let value): writer.string(value)
        case .array(let values): writer.array(values) { $1.write(to: &$0) }
        case .object(let members):
            writer.members(members) { $1.write(to: &$0) }
        }
    }
}

extension JSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringLiteral {
    package init(stringLiteral text: String) { self = .string(text) }
    package init(dictionaryLiteral members: (String, JSON)...) { self = .object(members) }
    package init(arrayLiteral elements: JSON...) { self = .array(elements) }
}
