import Kinfolk
import KinfolkModel
import KinfolkRecords
import TestSupport

/// Generates conditions as text with arguments, together with what they mean.
struct QueryGenerator {
    struct Condition {
        var text: String
        var arguments: [FieldValue] = []
        var holds: (Record) -> Bool
    }

    struct Order {
        var descriptors: [QuerySortDescriptor]
        /// Whether one record may not come after another; what is equal may come in any order.
        var isBefore: (Record, Record) -> Bool
    }

    let samples: QuerySamples
    /// The names of fields with their types; each type has one with indexes and one without.
    let fields: [(name: String, type: FieldType)]
    /// The SEARCHABLE fields.
    let searchable: [String]
    /// Some of the records.
    let records: [Record]
    var random: SeededGenerator

    mutating func condition(depth: Int = 3) -> Condition {
        guard depth > 0, Int.random(in: 0..<3, using: &random) > 0 else { return comparison() }
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
            let one = condition(depth: depth - 1)
            return Condition(text: "NOT (\(one.text))", arguments: one.arguments) { !one.holds($0) }
        case 1, 2:
            let (one, other) = (condition(depth: depth - 1), condition(depth: depth - 1))
            return Condition(text: "(\(one.text)) AND (\(other.text))", arguments: one.arguments + other.arguments) {
                one.holds($0) && other.holds($0)
            }
        default:
            let (one, other) = (condition(depth: depth - 1), condition(depth: depth - 1))
            return Condition(text: "(\(one.text)) || (\(other.text))", arguments: one.arguments + other.arguments) {
                one.holds($0) || other.holds($0)
            }
        }
    }

    private mutating func comparison() -> Condition {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: system()
        case 1: words()
        case 2: distance()
        case 3: null()
        default: field()
        }
    }

    // MARK: System fields

    private mutating func system() -> Condition {
        let record = pick(records, &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            guard let time = record.createdAt else { return constant(true) }
            let sign = pick(["<", "<=", ">", ">=", "=", "!="], &random)
            return Condition(text: "creationDate \(sign) %@", arguments: [.date(time)]) { record in
                QueryGenerator.compare(record.createdAt.map(FieldValue.date), sign, .date(time))
            }
        case 1:
            guard let time = record.modifiedAt else { return constant(true) }
            return Condition(text: "modifiedAt BETWEEN {%@, %@}", arguments: [.date(time), .date(time)]) {
                $0.modifiedAt == time
            }
        case 2:
            let names = [record.id.name, pick(records, &random).id.name]
            return Condition(text: "recordName IN %@", arguments: [.stringList(names)]) { names.contains($0.id.name) }
        case 3:
            let reference = Reference(valid: record.id, action: .none)
            return Condition(text: "recordID != %@", arguments: [.reference(reference)]) { $0.id != record.id }
        case 4:
            let user = pick(samples.users, &random)
            return Condition(text: "createdBy = %@", arguments: [.reference(user)]) { $0.createdBy == user }
        default:
            let user = pick(samples.users, &random)
            return Condition(text: "lastModifiedUserRecordID != %@", arguments: [.reference(user)]) {
                $0.modifiedBy != user
            }
        }
    }

    private func constant(_ value: Bool) -> Condition {
        Condition(text: value ? "TRUEPREDICATE" : "FALSEPREDICATE") { _ in value }
    }

    // MARK: Words and places

    private mutating func words() -> Condition {
        // Without such a field, a search for words is an error.
        guard !searchable.isEmpty else { return constant(false) }
        let texts = ["session", "After SESSION", "été", "мир", "lunch session", "本", "", "...", "a", "don't"]
        let text = pick(texts, &random)
        let searchable = searchable
        let words = Word.all(in: text)
        return Condition(
            text: Bool.random(using: &random) ? "self CONTAINS %@" : "ALL tokenize(%@, 'Cdl') IN allTokens",
            arguments: [.string(text)]
        ) { record in
            let found = searchable.compactMap { record[$0] }.reduce(into: Set<Word>()) {
                $0.formUnion(Word.all(in: $1))
            }
            return !words.isEmpty && words.isSubset(of: found)
        }
    }

    private mutating func distance() -> Condition {
        let name = pick(fields.filter { $0.type == .location }, &random).name
        guard let from = try? samples.location(&random) else { return constant(true) }
        let metres = pick([0, 1, 700, 1_500, 20_000, 800_000, 5_000_000, 20_100_000], &random)
        let sign = pick(["<", "<=", ">", ">="], &random)
        return Condition(
            text: "distanceToLocation:fromLocation:(%K, %@) \(sign) \(metres)",
            arguments: [.string(name), .location(from)]
        ) { record in
            guard case .location(let place)? = record[name] else { return false }
            let distance = place.distance(from: from)
            return switch sign {
            case "<": distance < Double(metres)
            case "<=": distance <= Double(metres)
            case ">": distance > Double(metres)
            default: distance >= Double(metres)
            }
        }
    }

    // MARK: Fields

    private mutating func null() -> Condition {
        let name = pick(fields, &random).name
        return Bool.random(using: &random)
            ? Condition(text: "\(name) = NULL") { $0[name] == nil }
            : Condition(text: "\(name) != nil") { $0[name] != nil }
    }

    private mutating func field() -> Condition {
        let field = pick(fields.filter { $0.type != .location }, &random)
        guard field.type.rawValue < FieldType.stringList.rawValue else { return list(field.name, field.type) }
        let name = field.name
        let value = value(for: field.type)
        let hasOrder = ![.bytes, .reference].contains(field.type)
        switch Int.random(in: 0..<(hasOrder ? 10 : 4), using: &random) {
        case 0, 1: return simple(name, "=", value)
        case 2: return simple(name, "!=", value)
        case 3:
            let values = [value, self.value(for: field.type)]
            return Condition(text: "\(name) IN {%@, %@}", arguments: values) { record in
                values.contains { QueryGenerator.compare(record[name], "=", $0) }
            }
        case 4 where field.type == .string, 5 where field.type == .string:
            guard case .string(let text) = value else { return constant(true) }
            let part = String(text.prefix(Int.random(in: 0...2, using: &random)))
            let isPrefix = Bool.random(using: &random)
            let sign = isPrefix ? "BEGINSWITH" : "CONTAINS"
            return Condition(text: "%K \(sign) %@", arguments: [.string(name), .string(part)]) {
                guard case .string(let text)? = $0[name] else { return false }
                return isPrefix ? ObviousComparison.hasPrefix(text, part) : ObviousComparison.contains(text, part)
            }
        case 4, 5:
            let other = self.value(for: field.type)
            return Condition(text: "\(name) BETWEEN {%@, %@}", arguments: [value, other]) {
                QueryGenerator.compare($0[name], ">=", value) && QueryGenerator.compare($0[name], "<=", other)
            }
        default: return simple(name, pick(["<", "<=", ">", ">="], &random), value)
        }
    }

    private func simple(_ name: String, _ sign: String, _ value: FieldValue) -> Condition {
        Condition(text: "\(name) \(sign) %@", arguments: [value]) { QueryGenerator.compare($0[name], sign, value) }
    }

    private mutating func list(_ name: String, _ type: FieldType) -> Condition {
        guard let element = FieldType(rawValue: type.rawValue - 16) else { return constant(true) }
        let value = value(for: element)
        switch Int.random(in: 0..<6, using: &random) {
        case 5:
            let values = [value, self.value(for: element)]
            return Condition(text: "ANY \(name) IN {%@, %@}", arguments: values) { record in
                record[name]?.elements?.contains { element in
                    values.contains { ObviousComparison.areEqual(element, $0) }
                } ?? false
            }
        case 0:
            return Condition(text: "%@ IN \(name)", arguments: [value]) { record in
                record[name]?.elements?.contains { ObviousComparison.areEqual($0, value) } ?? false
            }
        case 1:
            return Condition(text: "\(name) CONTAINS %@", arguments: [value]) { record in
                record[name]?.elements?.contains { ObviousComparison.areEqual($0, value) } ?? false
            }
        default:
            let hasOrder = ![.bytes, .reference].contains(element)
            let sign = pick(hasOrder ? ["=", "!=", "<", ">="] : ["=", "!="], &random)
            return Condition(text: "ANY \(name) \(sign) %@", arguments: [value]) { record in
                record[name]?.elements?.contains { QueryGenerator.compare($0, sign, value) } ?? false
            }
        }
    }

    /// A value for a comparison: sometimes a number of the other type.
    private mutating func value(for type: FieldType) -> FieldValue {
        var type = type
        if Int.random(in: 0..<4, using: &random) == 0 {
            if type == .int64 { type = .double } else if type == .double { type = .int64 }
        }
        return (try? samples.value(of: type, &random)) ?? .int64(0)
    }

    private static func compare(_ value: FieldValue?, _ sign: String, _ other: FieldValue) -> Bool {
        guard let value else { return sign == "!=" }
        let isEqual = ObviousComparison.areEqual(value, other)
        let isLess = ObviousComparison.isLess(value, other)
        return switch sign {
        case "=": isEqual
        case "!=": !isEqual
        case "<": isLess == true && !isEqual
        case "<=": isLess == true || isEqual
        case ">": isLess == false && !isEqual
        default: isLess == false || isEqual
        }
    }

    // MARK: Orders

    mutating func order() -> Order {
        let sortable = fields.filter {
            [.string, .int64, .double, .boolean, .date].contains($0.type)
        }
        var order = Order(descriptors: []) { _, _ in false }
        for _ in 0..<pick([0, 1, 1, 1, 2, 3], &random) {
            let next = Int.random(in: 0..<8, using: &random)
            let isAscending = Bool.random(using: &random)
            let key: (Record) -> FieldValue?
            switch next {
            case 0:
                order.descriptors.append(isAscending ? .ascending("createdAt") : .descending("___createTime"))
                key = { $0.createdAt.map(FieldValue.date) }
            case 1:
                order.descriptors.append(isAscending ? .ascending("modifiedAt") : .descending("modificationDate"))
                key = { $0.modifiedAt.map(FieldValue.date) }
            case 2:
                guard let from = try? samples.location(&random) else { continue }
                let name = pick(fields.filter { $0.type == .location }, &random).name
                order.descriptors.append(.distance(name, from: from))
                key = { record in
                    if case .location(let place)? = record[name] { .double(place.distance(from: from)) } else { nil }
                }
            default:
                let name = pick(sortable, &random).name
                order.descriptors.append(isAscending ? .ascending(name) : .descending(name))
                key = { $0[name] }
            }
            let isUp = next == 2 || isAscending
            let previous = order.isBefore
            order.isBefore = { left, right in
                if previous(left, right) { return true }
                if previous(right, left) { return false }
                return isUp
                    ? QueryGenerator.isLess(key(left), key(right)) : QueryGenerator.isLess(key(right), key(left))
            }
        }
        return order
    }

    private static func isLess(_ left: FieldValue?, _ right: FieldValue?) -> Bool {
        guard let right = right.flatMap(withoutNaN) else { return false }
        guard let left = left.flatMap(withoutNaN) else { return true }
        return ObviousComparison.isLess(left, right) ?? false
    }

    private static func withoutNaN(_ value: FieldValue) -> FieldValue? {
        if case .double(let number) = value, number.isNaN { nil } else { value }
    }
}
