extension Subscription {
    /// What the store keeps sealed.
    package var encoded: [UInt8] {
        var fields = Fields()
        fields["id"] = .string(id)
        if let zone { fields["zone"] = .string(zone) }
        if let query {
            fields["options"] = .int64(Int64(options.rawValue))
            fields["type"] = .string(query.recordType)
            fields["text"] = .string(query.predicate.text)
            // The encoding of a reference leaves its zone out.
            var zones: [String] = []
            for (index, argument) in query.predicate.arguments.enumerated() {
                fields["a\(index)"] = argument
                zones += argument.references.map(\.target.zone)
            }
            if !zones.isEmpty { fields["zones"] = .stringList(zones) }
        }
        info.encode(into: &fields)
        var writer = FieldWriter()
        writer.append(byte: UInt8(truncatingIfNeeded: type.rawValue))
        writer.append(fields)
        return writer.bytes
    }

    /// Reads what ``encoded`` wrote.
    package init(encoded bytes: [UInt8]) throws {
        let fields = try FieldReader.fields(Array(bytes.dropFirst()))
        let damaged = KinfolkError.damaged("A subscription cannot be read.")
        guard case .string(let id)? = fields["id"] else { throw damaged }
        let zone: String? = if case .string(let zone)? = fields["zone"] { zone } else { nil }
        switch bytes.first.flatMap({ SubscriptionType(rawValue: Int32($0)) }) {
        case .query:
            guard case .int64(let options)? = fields["options"], case .string(let type)? = fields["type"],
                case .string(let text)? = fields["text"]
            else { throw damaged }
            let query = try Query(type, where: QueryPredicate(text, arguments: Subscription.arguments(fields)))
            let known = SubscriptionOptions(rawValue: Int32(truncatingIfNeeded: options))
            self.init(valid: .query(query, zone: zone, known), id: id)
        case .recordZone:
            guard let zone else { throw damaged }
            self.init(valid: .zone(zone), id: id)
        case .database: self.init(valid: .database, id: id)
        case nil: throw damaged
        }
        info = NotificationInfo(decoding: fields)
    }

    private static func arguments(_ fields: Fields) -> [FieldValue] {
        var zones: ArraySlice<String> = if case .stringList(let zones)? = fields["zones"] { zones[...] } else { [] }
        var arguments: [FieldValue] = []
        func moved(_ reference: Reference) -> Reference {
            guard let zone = zones.popFirst() else { return reference }
            return Reference(valid: RecordID(valid: reference.target.name, zone: zone), action: reference.action)
        }
        while let argument = fields["a\(arguments.count)"] {
            switch argument {
            case .reference(let reference): arguments.append(.reference(moved(reference)))
            case .referenceList(let list): arguments.append(.referenceList(list.map(moved)))
            default: arguments.append(argument)
            }
        }
        return arguments
    }
}
