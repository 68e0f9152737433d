#if !KINFOLK_BLOCKING
extension Discoverability: Codable {
    /// Reads the name of the case. Any other text throws `DecodingError`.
    public init(from decoder: any Decoder) throws {
        self = try decoder.value { name in Discoverability.allCases.first { "\($0)" == name } }
    }

    /// Writes the name of the case, `granted` for example.
    public func encode(to encoder: any Encoder) throws { try encoder.encode(text: "\(self)") }
}
#endif
