#if !KINFOLK_BLOCKING
extension PersonName: Codable {
    private enum CodingKeys: String, CodingKey { case givenName, familyName }

    /// Reads `givenName` and `familyName`, either of which may be missing. A part that is too long throws `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            givenName: try container.decodeIfPresent(String.self, forKey: .givenName) ?? "",
            familyName: try container.decodeIfPresent(String.self, forKey: .familyName) ?? ""
        )
        try decoder.checking(validate)
    }

    /// Writes `givenName` and `familyName`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(givenName, forKey: .givenName)
        try container.encode(familyName, forKey: .familyName)
    }
}
#endif
