#if !KINFOLK_BLOCKING
extension DiscoveredIdentity.Contact: Codable {
    private enum CodingKeys: String, CodingKey { case index, label }

    /// Reads `index` and `label`. A negative index throws `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let index = try container.decode(Int.self, forKey: .index)
        guard index >= 0 else {
            throw DecodingError.dataCorruptedError(
                forKey: .index,
                in: container,
                debugDescription: "A position in a book must not be negative."
            )
        }
        self.init(index: index, label: try container.decode(String.self, forKey: .label))
    }

    /// Writes `index` and `label`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(index, forKey: .index)
        try container.encode(label, forKey: .label)
    }
}
#endif
