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
    case holds(QueryAttribute, TextPattern)
    /// All these words are in the texts of these fields together.
    case words(Set<Word>, fields: [String: FieldDefinition])
    case distance(field: String, FieldDefinition, QueryDistanceTest)
    /// The record's ID is one of these, in any zone if the zone is empty.
    case isOneOf(Set<RecordID>)
    /// The creator is one of these, and was not erased.
    case createdBy(Set<UserRecordID>)
    case modifiedBy(Set<UserRecordID>)

    /// About how often a test reads all of a value, in the time of a search for a part. What is computed once for all tests of a record
    /// counts nothing.
    var scans: Int {
        switch self {
        case .holds: 1
        case .differs: 4
        case .words: 8
        default: 0
        }
    }

    /// What is tested, without values.
    var name: String {
        switch self {
        case .equals(let attribute, _): "\(attribute.name) ="
        case .differs(let attribute, _): "ANY \(attribute.name) !="
        case .missing(let attribute): "\(attribute.name) = NULL"
        case .within(let attribute, _): "the range of \(attribute.name)"
        case .begins(let attribute, _): "\(attribute.name) BEGINSWITH"
        case .holds(let attribute, _): "\(attribute.name) CONTAINS"
        case .words: "self CONTAINS"
        case .distance(let field, _, let test) where test.isWithin: "the distance of \(field) in this radius"
        case .distance(let field, _, _): "the distance of \(field) with >"
        case .isOneOf: QueryField.system(.recordID).name
        case .createdBy: QueryField.system(.createdBy).name
        case .modifiedBy: QueryField.system(.modifiedBy).name
        }
    }

    func holds(for subject: QuerySubject) -> Bool {
        let content = subject.content
        return switch self {
        case .equals(let attribute, let values):
            !subject.indexValues(of: attribute).isDisjoint(with: values)
        case .differs(let attribute, let value):
            subject.indexValuesOfElements(of: attribute).contains { other in value.map { !other.contains($0) } ?? true }
        case .missing(let attribute): attribute.isMissing(in: content)
        case .within(let attribute, let range):
            subject.orderValues(of: attribute).contains(where: range.contains)
        case .begins(let attribute, let prefix):
            subject.texts(of: attribute).contains { $0.hasPrefix(prefix) }
        case .holds(let attribute, let part):
            subject.texts(of: attribute).contains(where: part.isIn)
        case .words(let words, let fields):
            words.isSubset(of: subject.words(of: fields.keys.sorted()))
        case .distance(let field, _, let test):
            if case .location(let location)? = content.fields[field] { test.holds(for: location) } else { false }
        case .isOneOf(let ids):
            ids.contains(RecordID(valid: content.name, zone: subject.place.zoneName))
                || ids.contains(RecordID(valid: content.name, zone: ""))
        case .createdBy(let users): content.creator.map(users.contains) ?? false
        case .modifiedBy(let users): content.modifier.map(users.contains) ?? false
        }
    }
}
