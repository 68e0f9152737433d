#if !KINFOLK_BLOCKING
extension UserRecordID: Codable {
    /// Reads the text: `_` and 32 hexadecimal digits. Any other text throws `DecodingError`.
    public init(from decoder: any Decoder) throws { self = try decoder.value(UserRecordID.init(_:)) }

    /// Writes a text: `_` and 32 hexadecimal digits.
    public func encode(to encoder: any Encoder) throws { try encoder.encode(text: description) }
}
#endif
