#if !KINFOLK_BLOCKING
extension Location: Codable {
    private enum CodingKeys: String, CodingKey { case latitude, longitude }

    /// Reads `latitude` and `longitude`. Degrees out of range throw `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let latitude = try container.decode(Double.self, forKey: .latitude)
        let longitude = try container.decode(Double.self, forKey: .longitude)
        self = try decoder.checking { () throws(KinfolkError) in
            try Location(latitude: latitude, longitude: longitude)
        }
    }

    /// Writes `latitude` and `longitude`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(latitude, forKey: .latitude)
        try container.encode(longitude, forKey: .longitude)
    }
}
#endif
