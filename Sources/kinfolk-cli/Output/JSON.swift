import Kinfolk
import KinfolkFiles
import KinfolkStorage

/// A JSON value. The members of an object keep the order in which they are written.
// Sendable is explicit, because Swift 6.3 may report a circular reference where it infers it for an enum that contains itself.
indirect enum JSON: Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case double(Double)
    case string(String)
    case array([JSON])
    case object([(String, JSON)])

    static func count(_ count: Int) -> JSON { .integer(Int64(count)) }
    static func text(_ value: some CustomStringConvertible) -> JSON { .string(value.description) }

    /// The path of a file, or null. JSON has no bytes: bytes that are not UTF-8 are shown as U+FFFD.
    static func path(_ path: FilePath?) -> JSON { path.map { .string($0.shown) } ?? .null }

    /// The document, indented, with a line end.
    var document: String { text(isIndented: true) }

    /// The value on one line, with a line end.
    var line: String { text(isIndented: false) }

    private func text(isIndented: Bool) -> String {
        var writer = JSONWriter(isIndented: isIndented)
        write(to: &writer)
        return writer.text + "\n"
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
            writer.object(members.map { name, value in (name, { value.write(to: &$0) }) })
        }
    }
}

extension JSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
    init(dictionaryLiteral members: (String, JSON)...) { self = .object(members) }
    init(arrayLiteral elements: JSON...) { self = .array(elements) }
}
