#if !KINFOLK_BLOCKING
extension Reference: Codable {
    private enum CodingKeys: String, CodingKey { case name, zone, action }

    /// Reads a user record ID as a text, or `name`, `zone` and `action`. Without a zone it is `_defaultZone`, and without an action
    /// `none`. Values that do not fit throw `DecodingError`.
    public init(from decoder: any Decoder) throws {
        if let container = try? decoder.singleValueContainer(), (try? container.decode(String.self)) != nil {
            self.init(try container.decode(UserRecordID.self))
            return
        }
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let name = try container.decode(String.self, forKey: .name)
        let zone = try container.decodeIfPresent(String.self, forKey: .zone)
        let action = try container.decodeIfPresent(ReferenceAction.self, forKey: .action) ?? .none
        self = try decoder.checking { () throws(KinfolkError) in
            try Reference(named: name, zone: zone ?? RecordID.defaultZone, action: action)
        }
    }

    /// Writes a reference to a user record as its ID, and any other as `name`, `zone` and `action`.
    public func encode(to encoder: any Encoder) throws {
        if let user { return try encoder.encode(text: user.description) }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(target.name, forKey: .name)
        try container.encode(target.zone, forKey: .zone)
        try container.encode(action, forKey: .action)
    }
}
#endif
