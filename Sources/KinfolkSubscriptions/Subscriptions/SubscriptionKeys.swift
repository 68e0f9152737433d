package import KinfolkCrypto
package import KinfolkModel
package import KinfolkRecords

/// The keyed tags by which subscriptions and changes find each other.
package enum SubscriptionKeys {
    /// The most values of a field under which one subscription is found. One with more is found by its record type.
    private static let maximumValues = 32

    /// The keys of a subscription: each change that concerns it has one of them.
    ///
    /// - Parameter type: The record type of a query subscription; nil if the schema does not have it now.
    /// - Throws: The errors of a query with the same predicate.
    package static func keys(
        of subscription: Subscription,
        _ type: TypeDefinition?,
        _ tags: RecordTags
    ) throws(KinfolkError) -> Set<Tag> {
        switch subscription.subject {
        case .zone(let zone): return [tags.subscribed(zone: zone)]
        case .database: return [tags.subscribedDatabase]
        case .query(let query, _, _):
            guard let type else { return [tags.subscribed(type: query.recordType)] }
            let condition = try RecordCondition(query.predicate, of: type)
            if condition.isImpossible { return [] }
            guard let (name, field, values) = condition.equality(limit: maximumValues),
                values.allSatisfy({ isLasting($0, of: field) })
            else { return [tags.subscribed(type: type.name)] }
            return Set(values.map { tags.subscribed($0, ofField: name, ofType: type.name) })
        }
    }

    /// Whether all versions of Unicode make the same bytes of a value. The keys of a subscription are not made again for a newer version.
    private static func isLasting(_ value: IndexValue, of field: FieldDefinition) -> Bool {
        field.type.element != .string || value.bytes.allSatisfy { $0 < 0x80 }
    }

    /// The keys of a change of a record, mostly each once.
    static func keys(of fields: Fields, _ type: TypeDefinition, _ tags: RecordTags) -> [Tag] {
        var keys: [Tag] = []
        keys.reserveCapacity(fields.count + 1)
        keys.append(tags.subscribed(type: type.name))
        for (name, value) in fields {
            guard type.fields[name] != nil else { continue }
            IndexValue.forEach(of: value) {
                keys.append(tags.subscribed($0, ofField: name, ofType: type.name))
            }
        }
        return keys
    }
}
