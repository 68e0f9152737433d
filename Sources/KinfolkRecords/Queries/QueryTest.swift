import KinfolkModel

/// One test of a record, without AND, OR and NOT.
enum QueryTest: Sendable, Hashable {
    /// One of the record's values is one of these.
    case equals(QueryAttribute, Set<IndexValue>)
    /// An element of a list is not this one.
    case differs(QueryAttribute, IndexValue?)
    /// The record has no value.
    case missing(QueryAttribute)
    /// One of the record's values is in a range.
    case within(QueryAttribute, QueryRange)
    /// One of the record's texts begins with this one.
    case begins(QueryAttribute, DecomposedText)
    /// The record's text contains this one.
    case holds(QueryAttribute, DecomposedText)
    /// All these words are in the texts of these fields together.
    case words(Set<Word>, fields: [String: FieldDefinition])
    case distance(field: String, FieldDefinition, QueryDistanceTest)
    /// The record's ID is one of these, in any zone if the zone is empty.
    case isOneOf(Set<RecordID>)
    /// The creator is one of these, and was not erased.
    case createdBy(Set<UserRecordID>)
    case modifiedBy(Set<UserRecordID>)

    func holds(for content: RecordContent, in place: RecordPlace) -> Bool {
        switch self {
        case .equals(let attribute, let values):
            attribute.values(in: content).contains { !IndexValue.all(of: $0).isDisjoint(with: values) }
        case .differs(let attribute, let value):
            attribute.values(in: content).contains { other in
                value.map { !IndexValue.all(of: other).contains($0) } ?? true
            }
        case .missing(let attribute): attribute.isMissing(in: content)
        case .within(let attribute, let range):
            attribute.values(in: content).contains { OrderValue($0).map(range.contains) ?? false }
        case .begins(let attribute, let prefix):
            attribute.values(in: content).contains { DecomposedText(of: $0)?.hasPrefix(prefix) ?? false }
        case .holds(let attribute, let part):
            attribute.values(in: content).contains { DecomposedText(of: $0)?.contains(part) ?? false }
        case .words(let words, let fields):
            words.isSubset(
                of: fields.keys.reduce(into: []) { words, field in
                    if let value = content.fields[field] { words.formUnion(Word.all(in: value)) }
                }
            )
        case .distance(let field, _, let test):
            if case .location(let location)? = content.fields[field] { test.holds(for: location) } else { false }
        case .isOneOf(let ids):
            ids.contains(RecordID(valid: content.name, zone: place.zoneName))
                || ids.contains(RecordID(valid: content.name, zone: ""))
        case .createdBy(let users): content.creator.map(users.contains) ?? false
        case .modifiedBy(let users): content.modifier.map(users.contains) ?? false
        }
    }
}
