import KinfolkModel

/// Reads the sealed content of a row: values with names.
struct SealedContent {
    private let fields: Fields

    init(_ bytes: [UInt8]) throws { fields = try FieldReader.fields(bytes) }

    func text(_ name: String) throws -> String {
        guard case .string(let value)? = fields[name] else { throw SealedContent.malformed }
        return value
    }

    func texts(_ name: String) throws -> [String] {
        guard case .stringList(let value)? = fields[name] else { throw SealedContent.malformed }
        return value
    }

    func bytes(_ name: String) throws -> [UInt8] {
        guard case .bytes(let value)? = fields[name] else { throw SealedContent.malformed }
        return value
    }

    func moment(_ name: String) throws -> Timestamp {
        guard case .date(let value)? = fields[name] else { throw SealedContent.malformed }
        return value
    }

    func boolean(_ name: String) throws -> Bool {
        guard case .boolean(let value)? = fields[name] else { throw SealedContent.malformed }
        return value
    }

    /// The value that `read` returns for a name; nil if there is no such value.
    func optional<Value>(_ name: String, _ read: (String) throws -> Value) throws -> Value? {
        fields[name] == nil ? nil : try read(name)
    }

    static var malformed: KinfolkError { .damaged("The content of a row cannot be read.") }
}
