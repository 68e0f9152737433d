import Kinfolk

/// `VALUE` or `:TYPE=VALUE` on the command line: a value for the key-value store.
struct PropertyListText {
    /// How to write it, for help pages.
    static let manual = """
        VALUE is a string, or :TYPE=VALUE with a type of "kinfolk record save":
          :string=:)       a text that begins with a colon
          :int64=12        a whole number
          :double=0.5      a number
          :boolean=true    true or false
          :bytes=89504e47  bytes in hexadecimal; :bytes=@FILE reads a file
          :date=2026-01-31T12:00:00Z
          :string[]=a,b    an array, of any of these types

        With --json-value it is a JSON text, for arrays and dictionaries in each other; - reads it from standard input. \
        Whole numbers are int64, numbers with a point or an exponent are double. {"type": "date", "value": "…"} is a value of \
        this type, in the form that --json prints. A dictionary that has just these two members is written as {"type": \
        "dictionary", "value": {…}}.
        """

    private let text: String

    init(_ text: String) { self.text = text }

    func value() throws(KinfolkError) -> PropertyListValue {
        guard text.hasPrefix(":") else { return .string(text) }
        guard let equals = text.firstIndex(of: "="),
            let type = FieldType(name: text[text.index(after: text.startIndex)..<equals])
        else {
            throw KinfolkError(
                .invalidArgument,
                "A value that begins with a colon is :TYPE=VALUE, with a type that exists. A text is :string=TEXT."
            )
        }
        let value = try FieldText(String(text[text.index(after: equals)...]), of: "the key").value(of: type)
        guard let value = PropertyListValue(value) else {
            throw KinfolkError(.invalidArgument, "A value of the key-value store cannot have the type \(type.name).")
        }
        return value
    }
}

extension PropertyListValue {
    /// The value of a field; nil if the key-value store has no such type.
    fileprivate init?(_ value: FieldValue) {
        switch value {
        case .string(let value): self = .string(value)
        case .int64(let value): self = .int64(value)
        case .double(let value): self = .double(value)
        case .boolean(let value): self = .boolean(value)
        case .bytes(let value): self = .bytes(value)
        case .date(let value): self = .date(value)
        case .stringList(let values): self = .array(values.map(PropertyListValue.string))
        case .int64List(let values): self = .array(values.map(PropertyListValue.int64))
        case .doubleList(let values): self = .array(values.map(PropertyListValue.double))
        case .booleanList(let values): self = .array(values.map(PropertyListValue.boolean))
        case .bytesList(let values): self = .array(values.map(PropertyListValue.bytes))
        case .dateList(let values): self = .array(values.map(PropertyListValue.date))
        case .location, .reference, .asset, .locationList, .referenceList, .assetList: return nil
        }
    }
}
