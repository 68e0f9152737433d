#if !KINFOLK_BLOCKING
extension Asset: Codable {
    private enum CodingKeys: String, CodingKey { case id, zone, size, sha256 }

    /// Reads `id` and `sha256` as hexadecimal digits, and `zone` and `size`. Values that do not fit throw `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let zone = try container.decode(String.self, forKey: .zone)
        try decoder.checking { () throws(KinfolkError) in try ZoneName.validate(zone) }
        guard let id = try RandomID(hex: container.decode(String.self, forKey: .id)),
            let hash = try Hexadecimal.bytes(container.decode(String.self, forKey: .sha256).utf8),
            hash.count == Asset.hashLength, case let size = try container.decode(Int.self, forKey: .size), size >= 0
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .id,
                in: container,
                debugDescription: "An asset has an ID, a size and a SHA-256."
            )
        }
        self.init(id: id, zone: zone, size: size, sha256: hash)
    }

    /// Writes `id`, `zone`, `size` and `sha256`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id.hex, forKey: .id)
        try container.encode(zone, forKey: .zone)
        try container.encode(size, forKey: .size)
        try container.encode(Hexadecimal.text(sha256), forKey: .sha256)
    }
}
#endif
