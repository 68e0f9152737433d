#if !KINFOLK_BLOCKING
import KinfolkModel
extension EmailAddress: Codable {
    /// Reads the text: the canonical form. Any other text throws `DecodingError`.
    public init(from decoder: any Decoder) throws { self = try decoder.value(EmailAddress.init(_:)) }

    /// Writes a text: the canonical form.
    public func encode(to encoder: any Encoder) throws { try encoder.encode(text: canonical) }
}
#endif
