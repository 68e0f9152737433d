#if !KINFOLK_BLOCKING
extension FieldValue: Codable {
    private enum CodingKeys: String, CodingKey { case type, value }

    /// Reads `type`, a name of ``FieldType``, and `value`: bytes as hexadecimal digits, dates as microseconds since 1970-01-01
    /// 00:00 UTC, references as ``Reference`` is written, assets as ``Asset`` is, and all other values directly. A value that does not fit the type throws `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let name = try container.decode(String.self, forKey: .type)
        guard let type = FieldType.allCases.first(where: { "\($0)" == name }) else {
            throw DecodingError.dataCorruptedError(
                forKey: .type,
                in: container,
                debugDescription: "The field type is unknown."
            )
        }
        func value<Value: Decodable>(_: Value.Type = Value.self) throws -> Value {
            try container.decode(Value.self, forKey: .value)
        }
        func bytes(_ digits: String) throws -> [UInt8] {
            guard let bytes = Hexadecimal.bytes(digits.utf8) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .value,
                    in: container,
                    debugDescription: "Bytes must be pairs of lower-case hexadecimal digits."
                )
            }
            return bytes
        }
        self =
            switch type {
            case .string: try .string(value())
            case .int64: try .int64(value())
            case .double: try .double(value())
            case .boolean: try .boolean(value())
            case .bytes: try .bytes(bytes(value()))
            case .date: try .date(value())
            case .location: try .location(value())
            case .reference: try .reference(value(Reference.self))
            case .asset: try .asset(value(Asset.self))
            case .stringList: try .stringList(value())
            case .int64List: try .int64List(value())
            case .doubleList: try .doubleList(value())
            case .booleanList: try .booleanList(value())
            case .bytesList: try .bytesList(value([String].self).map(bytes))
            case .dateList: try .dateList(value())
            case .locationList: try .locationList(value())
            case .referenceList: try .referenceList(value([Reference].self))
            case .assetList: try .assetList(value([Asset].self))
            }
    }

    /// Writes `type` and `value`. The encoder decides whether it accepts a number that is not finite.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode("\(type)", forKey: .type)
        switch self {
        case .string(let value): try container.encode(value, forKey: .value)
        case .int64(let value): try container.encode(value, forKey: .value)
        case .double(let value): try container.encode(value, forKey: .value)
        case .boolean(let value): try container.encode(value, forKey: .value)
        case .bytes(let value): try container.encode(Hexadecimal.text(value), forKey: .value)
        case .date(let value): try container.encode(value, forKey: .value)
        case .location(let value): try container.encode(value, forKey: .value)
        case .reference(let value): try container.encode(value, forKey: .value)
        case .asset(let value): try container.encode(value, forKey: .value)
        case .stringList(let value): try container.encode(value, forKey: .value)
        case .int64List(let value): try container.encode(value, forKey: .value)
        case .doubleList(let value): try container.encode(value, forKey: .value)
        case .booleanList(let value): try container.encode(value, forKey: .value)
        case .bytesList(let value): try container.encode(value.map(Hexadecimal.text), forKey: .value)
        case .dateList(let value): try container.encode(value, forKey: .value)
        case .locationList(let value): try container.encode(value, forKey: .value)
        case .referenceList(let value): try container.encode(value, forKey: .value)
        case .assetList(let value): try container.encode(value, forKey: .value)
        }
    }
}
#endif
