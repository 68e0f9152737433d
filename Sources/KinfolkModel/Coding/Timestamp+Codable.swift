#if !KINFOLK_BLOCKING
extension Timestamp: Codable {
    /// Reads microseconds since 1970-01-01 00:00 UTC.
    public init(from decoder: any Decoder) throws {
        self.init(microseconds: try decoder.singleValueContainer().decode(Int64.self))
    }

    /// Writes microseconds since 1970-01-01 00:00 UTC.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(microseconds)
    }
}
#endif
