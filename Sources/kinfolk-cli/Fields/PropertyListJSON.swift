import Kinfolk
import KinfolkJSON

/// Reads a value of the key-value store from JSON.
enum PropertyListJSON {
    /// An array or a dictionary in the form that `--json` prints takes two brackets.
    private static let maximumDepth = 2 * PropertyListValue.maximumDepth + 1

    static func value(in text: [UInt8]) throws(KinfolkError) -> PropertyListValue {
        let json: JSON
        do throws(JSONText.Fault) { json = try JSONText.value(in: text[...], maximumDepth: maximumDepth) } catch {
            throw KinfolkError(.invalidArgument, "The value is not JSON: column \(error.column), \(error.reason).")
        }
        return try value(json)
    }

    private static func value(_ json: JSON) throws(KinfolkError) -> PropertyListValue {
        switch json {
        case .string(let value): return .string(value)
        case .integer(let value): return .int64(value)
        case .double(let value): return .double(value)
        case .boolean(let value): return .boolean(value)
        case .array(let values): return try array(values)
        case .object(let members):
            guard let typed = try typed(members) else { return try dictionary(members) }
            return typed
        case .null: throw KinfolkError(.invalidArgument, "null is no value: \"kinfolk kv remove\" removes a key.")
        }
    }

    private static func array(_ values: [JSON]) throws(KinfolkError) -> PropertyListValue {
        var elements: [PropertyListValue] = []
        elements.reserveCapacity(values.count)
        for value in values { elements.append(try self.value(value)) }
        return .array(elements)
    }

    private static func dictionary(_ members: [(String, JSON)]) throws(KinfolkError) -> PropertyListValue {
        var values: [String: PropertyListValue] = [:]
        for (name, value) in members { values[name] = try self.value(value) }
        return .dictionary(values)
    }

    /// The value of an object with a type and a value; nil if the object is something else.
    private static func typed(_ members: [(String, JSON)]) throws(KinfolkError) -> PropertyListValue? {
        guard members.count == 2, case .string(let type)? = members.first(where: { $0.0 == "type" })?.1,
            let value = members.first(where: { $0.0 == "value" })?.1
        else { return nil }
        switch (type, value) {
        case ("array", .array(let values)): return try array(values)
        case ("dictionary", .object(let members)): return try dictionary(members)
        case ("array", _), ("dictionary", _):
            throw KinfolkError(.invalidArgument, "The value of the type \(type) is not one.")
        case ("string", _), ("int64", _), ("double", _), ("boolean", _), ("bytes", _), ("date", _):
            return try scalar(FieldJSON("value").value(.object(members)))
        default: return nil
        }
    }

    private static func scalar(_ value: FieldValue) -> PropertyListValue? {
        switch value {
        case .string(let value): .string(value)
        case .int64(let value): .int64(value)
        case .double(let value): .double(value)
        case .boolean(let value): .boolean(value)
        case .bytes(let value): .bytes(value)
        case .date(let value): .date(value)
        default: nil
        }
    }
}
