#if !KINFOLK_BLOCKING
extension AccountID: Codable {
    /// Reads the text: 32 hexadecimal digits. Any other text throws `DecodingError`.
    public init(from decoder: any Decoder) throws { self = try decoder.value(AccountID.init(_:)) }

    /// Writes a text: 32 hexadecimal digits.
    public func encode(to encoder: any Encoder) throws { try encoder.encode(text: description) }
}
#endif
