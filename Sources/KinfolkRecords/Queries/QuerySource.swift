import KinfolkModel

/// Where the numbers of the records come from that may satisfy a condition: an index, or a combination of indexes.
indirect enum QuerySource: Sendable, Hashable {
    /// No records.
    case nothing
    /// The records with one of these values in a QUERYABLE field.
    case values(Set<IndexValue>, of: QueryAttribute, number: Int64)
    /// The records without a value in a SORTABLE field.
    case missing(QueryAttribute, number: Int64)
    /// The records whose value in a SORTABLE field is in a range.
    case range(QueryRange, of: QueryAttribute, number: Int64)
    /// The records with a time in a range.
    case times(QueryRange, of: QueryAttribute)
    /// The records that have all these words in SEARCHABLE fields.
    case words(Set<Word>, fields: [String: FieldDefinition])
    case circle(QueryDistanceTest, field: String, number: Int64)
    case ids(Set<RecordID>)
    /// The public records that one of these users created.
    case creators(Set<UserRecordID>)
    case all([QuerySource])
    case any([QuerySource])

    /// Whether a record can be looked up in all the indexes by its number.
    var isLookedUp: Bool {
        switch self {
        case .nothing, .values, .missing, .range, .times, .creators: true
        case .words, .circle, .ids: false
        case .all(let sources), .any(let sources): sources.allSatisfy(\.isLookedUp)
        }
    }

    /// The indexes, without repetition.
    var indexes: [QueryExplanation.Index] {
        switch self {
        case .nothing: []
        case .values(_, let attribute, _): [.init(attribute.name, .queryable)]
        case .missing(let attribute, _), .range(_, let attribute, _), .times(_, let attribute):
            [.init(attribute.name, .sortable)]
        case .words(_, let fields): fields.keys.sorted().map { .init($0, .searchable) }
        case .circle(_, let field, _): [.init(field, .queryable)]
        case .ids: [.init(QueryField.system(.recordID).name, .queryable)]
        case .creators: [.init(QueryField.system(.createdBy).name, .queryable)]
        case .all(let sources), .any(let sources):
            sources.flatMap(\.indexes).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        }
    }
}
