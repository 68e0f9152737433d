import Kinfolk
import KinfolkJSON

extension PropertyListValue {
    /// As people write and read it.
    var typeName: String {
        switch self {
        case .string: "string"
        case .int64: "int64"
        case .double: "double"
        case .boolean: "boolean"
        case .bytes: "bytes"
        case .date: "date"
        case .array: "array"
        case .dictionary: "dictionary"
        }
    }

    /// The members `type` and `value`. What is in an array or a dictionary has them too, so that no type is lost.
    var members: [(String, JSON)] { [("type", .string(typeName)), ("value", typedJSON)] }

    /// What people read: a text as it is, bytes in hexadecimal, arrays and dictionaries as JSON.
    var shown: String {
        switch self {
        case .string(let value): return value
        case .int64(let value): return value.description
        case .double(let value): return value.description
        case .boolean(let value): return value.description
        case .bytes(let value): return Hexadecimal.text(value)
        case .date(let value): return value.description
        case .array, .dictionary:
            let line = json { $0.plainJSON }.line
            return String(line.dropLast())
        }
    }

    private var typedJSON: JSON { json { .object($0.members) } }

    private var plainJSON: JSON { json { $0.plainJSON } }

    /// - Parameter element: Makes the JSON of what is in an array or a dictionary.
    private func json(_ element: (PropertyListValue) -> JSON) -> JSON {
        switch self {
        case .string(let value): return .string(value)
        case .int64(let value): return .integer(value)
        case .double(let value): return .double(value)
        case .boolean(let value): return .boolean(value)
        case .bytes(let value): return .string(Hexadecimal.text(value))
        case .date(let value): return .text(value)
        case .array(let values): return .array(values.map(element))
        case .dictionary(let values):
            let pairs = values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            return .object(pairs.map { ($0.key, element($0.value)) })
        }
    }
}
