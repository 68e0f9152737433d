import Kinfolk
import KinfolkCrypto
import KinfolkJSON

/// Writes values of the key-value store: `{"value": 5, "type": "INT64"}`. What is in an array or a dictionary has the same form.
enum PropertyListWriter {
    static func members(_ value: PropertyListValue) -> [(String, JSON)] {
        let (type, json): (String, JSON) =
            switch value {
            case .string(let text): ("STRING", .string(text))
            case .int64(let number): ("INT64", .integer(number))
            case .double(let number): ("DOUBLE", .double(number))
            case .boolean(let value): ("BOOLEAN", .boolean(value))
            case .bytes(let bytes): ("BYTES", .string(Base64.text(bytes)))
            case .date(let date): ("TIMESTAMP", .integer(date.milliseconds))
            case .array(let values): ("ARRAY", .array(values.map { .object(members($0)) }))
            case .dictionary(let values): ("DICTIONARY", dictionary(values))
            }
        return [("value", json), ("type", .string(type))]
    }

    private static func dictionary(_ values: [String: PropertyListValue]) -> JSON {
        let pairs = values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        return .object(pairs.map { ($0.key, .object(members($0.value))) })
    }
}
