import Kinfolk
import KinfolkJSON

/// Reads a filter dictionary: `{"fieldName": "age", "comparator": "LESS_THAN", "fieldValue": {"value": 5}}`.
struct FilterReader {
    let values: ValueReader
    /// The fields of the record type.
    let fields: [String: FieldDefinition]

    private static let maximumWords = 100

    func predicate(_ filter: Members) throws(WebError) -> QueryPredicate {
        let comparator = try filter.requiredText("comparator")
        switch comparator {
        case "CONTAINS_ALL_TOKENS": return .words(try text(filter))
        case "CONTAINS_ANY_TOKENS":
            let words = try text(filter).split(maxSplits: FilterReader.maximumWords, whereSeparator: \.isWhitespace)
            guard words.count <= FilterReader.maximumWords else {
                throw WebError(.badRequest, "has more than \(FilterReader.maximumWords) words.").within("fieldValue")
            }
            return .or(words.map { .words(String($0)) })
        default: break
        }
        let name = try QueryReader.field(filter)
        let key = QueryKey(name)
        switch comparator {
        case "EQUALS": return try equal(key, value(filter, of: name))
        case "NOT_EQUALS": return try !equal(key, value(filter, of: name))
        case "LESS_THAN": return try key < required(filter, of: name)
        case "GREATER_THAN_OR_EQUALS": return try key >= required(filter, of: name)
        // A client names a millisecond, and the store knows microseconds: the last one of the millisecond is meant.
        case "LESS_THAN_OR_EQUALS": return try key <= required(filter, of: name).lastOfMillisecond
        case "GREATER_THAN": return try key > required(filter, of: name).lastOfMillisecond
        case "NEAR": return try near(key, filter)
        case "IN": return try isIn(key, list(filter, of: name))
        case "NOT_IN": return try !isIn(key, list(filter, of: name))
        case "LIST_CONTAINS": return try key.contains(element(filter, of: name))
        case "NOT_LIST_CONTAINS": return try !key.contains(element(filter, of: name))
        case "LIST_CONTAINS_ANY": return .or(try list(filter, of: name).map(key.contains))
        case "NOT_LIST_CONTAINS_ANY": return try !.or(list(filter, of: name).map(key.contains))
        case "LIST_CONTAINS_ALL": return .and(try list(filter, of: name).map(key.contains))
        case "NOT_LIST_CONTAINS_ALL": return try !.and(list(filter, of: name).map(key.contains))
        case "BEGINS_WITH": return try key.begins(with: text(filter))
        case "NOT_BEGINS_WITH": return try !key.begins(with: text(filter))
        case "LIST_MEMBER_BEGINS_WITH": return try key.any.begins(with: text(filter))
        case "NOT_LIST_MEMBER_BEGINS_WITH": return try !key.any.begins(with: text(filter))
        default: throw .malformed("comparator", "one of the protocol: EQUALS, LESS_THAN, IN and so on")
        }
    }

    // MARK: Comparisons

    private func equal(_ key: QueryKey, _ value: FieldValue?) -> QueryPredicate {
        guard let value, value.lastOfMillisecond != value else { return key == value }
        return key.isBetween(value, value.lastOfMillisecond)
    }

    private func isIn(_ key: QueryKey, _ values: [FieldValue]) -> QueryPredicate {
        guard case .date? = values.first else { return key.isIn(values) }
        return .or(values.map { equal(key, $0) })
    }

    private func near(_ key: QueryKey, _ filter: Members) throws(WebError) -> QueryPredicate {
        guard let metres = try filter.number("distance") else { throw .missing("distance") }
        guard let field = try filter.object("fieldValue"), let json = field["value"] else {
            throw .missing("fieldValue")
        }
        do throws(WebError) { return key.distance(from: try values.location(json)) <= metres } catch {
            throw error.within("value").within("fieldValue")
        }
    }

    // MARK: Values

    private func text(_ filter: Members) throws(WebError) -> String {
        guard let field = try filter.object("fieldValue") else { throw .missing("fieldValue") }
        do throws(WebError) { return try field.requiredText("value") } catch { throw error.within("fieldValue") }
    }

    private func required(_ filter: Members, of field: String) throws(WebError) -> FieldValue {
        guard let value = try value(filter, of: field) else { throw .missing("value").within("fieldValue") }
        return value
    }

    /// The value that a field is compared with; nil if it is null.
    private func value(_ filter: Members, of field: String) throws(WebError) -> FieldValue? {
        try read(filter) { json throws(WebError) in
            if let value = try system(json, field) { return value }
            return try values.field(json, declared: fields[field]?.type)
        }
    }

    /// A value that is compared with the elements of a list.
    private func element(_ filter: Members, of field: String) throws(WebError) -> FieldValue {
        let value = try read(filter) { json throws(WebError) in
            try values.field(json, declared: fields[field]?.type.element)
        }
        guard let value else { throw .missing("value").within("fieldValue") }
        return value
    }

    /// The values of an array.
    private func list(_ filter: Members, of field: String) throws(WebError) -> [FieldValue] {
        try read(filter) { json throws(WebError) in
            guard case .array(let elements)? = try Members(json)["value"] else { throw .malformed("value", "an array") }
            let type = try Members(json).text("type")
            return try Members.list(elements, "value") { element throws(WebError) in
                var item: [(String, JSON)] = [("value", element)]
                // Some clients name the type of the list, and others that of its elements.
                if let type {
                    item.append(("type", .string(type.hasSuffix("_LIST") ? String(type.dropLast(5)) : type)))
                }
                if let value = try system(.object(item), field) { return value }
                guard let value = try values.field(.object(item), declared: fields[field]?.type.element) else {
                    throw .malformed("", "a value")
                }
                return value
            }
        }
    }

    private func read<Result>(
        _ filter: Members,
        _ body: (JSON) throws(WebError) -> Result
    ) throws(WebError) -> Result {
        guard let json = filter["fieldValue"] else { throw .missing("fieldValue") }
        do throws(WebError) { return try body(json) } catch { throw error.within("fieldValue") }
    }

    private func name(_ value: JSON) throws(WebError) -> FieldValue {
        if case .object = value { return .string(try Members(value).requiredText("recordName")) }
        return try values.value(value, .string)
    }

    /// The value of a system field; nil if it is another field. Names come as references or as texts, whatever type is sent.
    private func system(_ json: JSON, _ field: String) throws(WebError) -> FieldValue? {
        guard let system = SystemField(named: field), let value = try Members(json)["value"] else { return nil }
        switch system {
        case .createTime, .modificationTime: return try values.value(value, .date)
        case .createdBy, .modifiedBy:
            let name = try name(value)
            // Nobody is called otherwise, and so no record is that person's.
            guard case .string(let text) = name, (try? UserRecordID(text)) == nil else { return name }
            return .string(UserRecordID(.make()).description)
        case .recordID, .changeTag: return try name(value)
        }
    }
}

extension FieldValue {
    /// The last microsecond of the same millisecond, for a date; the value itself for others.
    fileprivate var lastOfMillisecond: FieldValue {
        guard case .date(let date) = self else { return self }
        let (last, hasOverflown) = date.microseconds.addingReportingOverflow(999)
        return hasOverflown ? self : .date(Timestamp(microseconds: last))
    }
}
