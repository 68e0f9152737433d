import Kinfolk
import KinfolkCrypto
import KinfolkJSON

/// Reads values of the key-value store.
enum PropertyListReader {
    /// The value in the members `value` and `type`. Without a type, the JSON shows it.
    static func value(of members: Members) throws(WebError) -> PropertyListValue {
        guard let json = members["value"] else { throw .missing("value") }
        let type = try members.text("type") ?? guess(json)
        do throws(WebError) { return try value(json, type) } catch { throw error.within("value") }
    }

    private static func guess(_ json: JSON) -> String {
        switch json {
        case .string: "STRING"
        case .integer: "INT64"
        case .double: "DOUBLE"
        case .boolean: "BOOLEAN"
        case .array: "ARRAY"
        case .object: "DICTIONARY"
        case .null: ""
        }
    }

    private static func value(_ json: JSON, _ type: String) throws(WebError) -> PropertyListValue {
        switch (type, json) {
        case ("STRING", .string(let text)): return .string(text)
        case ("INT64", .integer(let number)): return .int64(number)
        case ("DOUBLE", .double(let number)): return .double(number)
        case ("DOUBLE", .integer(let number)): return .double(Double(number))
        case ("DOUBLE", .string(let text)):
            if text.utf8.count < 400, let number = Double(text) { return .double(number) }
        case ("BOOLEAN", .boolean(let value)): return .boolean(value)
        case ("BYTES", .string(let text)): if let bytes = Base64.bytes(text) { return .bytes(bytes) }
        case ("TIMESTAMP", .integer(let milliseconds)):
            if let date = Timestamp(milliseconds: milliseconds) { return .date(date) }
        case ("ARRAY", .array(let elements)): return .array(try Members.list(elements, "", element))
        case ("DICTIONARY", .object(let members)):
            var values: [String: PropertyListValue] = [:]
            for (name, json) in members {
                do throws(WebError) { values[name] = try element(json) } catch { throw error.within(name) }
            }
            return .dictionary(values)
        default: break
        }
        throw .malformed(
            "",
            "a value of its type: STRING, INT64, DOUBLE, BOOLEAN, BYTES, TIMESTAMP, ARRAY or DICTIONARY"
        )
    }

    /// What is in an array or a dictionary: a value with its type, or the plain value.
    private static func element(_ json: JSON) throws(WebError) -> PropertyListValue {
        if case .object(let members) = json, members.contains(where: { $0.0 == "value" }) {
            return try value(of: Members(members))
        }
        return try value(json, guess(json))
    }
}
