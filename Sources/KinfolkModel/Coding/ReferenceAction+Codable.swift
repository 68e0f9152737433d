#if !KINFOLK_BLOCKING
extension ReferenceAction: Codable {
    /// Reads the name of a case. Any other text throws `DecodingError`.
    public init(from decoder: any Decoder) throws {
        self = try decoder.value { text in ReferenceAction.allCases.first { "\($0)" == text } }
    }

    /// Writes the name of the case: `deleteSelf`, for example.
    public func encode(to encoder: any Encoder) throws { try encoder.encode(text: "\(self)") }
}
#endif
