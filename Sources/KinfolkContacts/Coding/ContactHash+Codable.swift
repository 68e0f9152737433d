#if !KINFOLK_BLOCKING
import KinfolkModel
extension ContactHash: Codable {
    /// Reads the text: 64 hexadecimal digits. Any other text throws `DecodingError`.
    public init(from decoder: any Decoder) throws { self = try decoder.value(ContactHash.init(hex:)) }

    /// Writes a text: 64 hexadecimal digits.
    public func encode(to encoder: any Encoder) throws { try encoder.encode(text: hex) }
}
#endif
