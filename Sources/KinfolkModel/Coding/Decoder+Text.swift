#if !KINFOLK_BLOCKING
extension Decoder {
    /// Reads a text and converts it to a value. An invalid text throws a `DecodingError` that contains nothing of the text.
    package func value<Value>(_ make: (String) throws -> Value?) throws -> Value {
        let container = try singleValueContainer()
        let text = try container.decode(String.self)
        do {
            if let value = try make(text) { return value }
        } catch let error as KinfolkError {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: error.reason)
        }
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "This is not a valid \(Value.self).")
    }

    /// Runs a check of decoded values. If it refuses them, a `DecodingError` is thrown.
    package func checking<Value>(_ make: () throws(KinfolkError) -> Value) throws -> Value {
        do { return try make() } catch {
            throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: error.reason))
        }
    }
}

extension Encoder {
    package func encode(text: String) throws {
        var container = singleValueContainer()
        try container.encode(text)
    }
}
#endif
