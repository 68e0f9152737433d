import KinfolkModel
import TestSupport

/// Makes random predicates, and random texts that resemble predicates.
struct PredicateGenerator {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    private mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }

    private mutating func one<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }

    // MARK: Predicates

    /// A valid predicate.
    mutating func predicate(depth: Int = 4) throws -> QueryPredicate {
        switch below(depth > 0 ? 10 : 5) {
        case 0...3: return try comparison()
        case 4: return try leaf()
        case 5, 6: return .and(try predicates(depth))
        case 7, 8: return .or(try predicates(depth))
        default: return !(try predicate(depth: depth - 1))
        }
    }

    private mutating func predicates(_ depth: Int) throws -> [QueryPredicate] {
        try (0..<below(5)).map { _ in try predicate(depth: depth - 1) }
    }

    private mutating func leaf() throws -> QueryPredicate {
        switch below(4) {
        case 0: return .all
        case 1: return .none
        case 2: return .words(text())
        default:
            let metres = one(of: [0, -1, 100, .leastNonzeroMagnitude, 1e300, 0.1, -0.0])
            let distance = QueryKey(name()).distance(from: try location())
            return one(of: [distance < metres, distance <= metres, distance > metres, distance >= metres])
        }
    }

    private mutating func comparison() throws -> QueryPredicate {
        if below(4) == 0 { return try systemComparison() }
        let key = below(4) == 0 ? QueryKey(name()).any : QueryKey(name())
        let (first, second) = (try value(), try value())
        switch below(12) {
        case 0: return key == nil
        case 1: return key != nil
        case 2: return key == first
        case 3: return key != first
        case 4: return key < first
        case 5: return key <= first
        case 6: return key > first
        case 7: return key >= first
        case 8: return key.isBetween(first, second)
        case 9: return key.isIn(try (0..<below(4)).map { _ in try value() })
        case 10: return key.contains(first)
        default: return key.begins(with: text())
        }
    }

    private mutating func systemComparison() throws -> QueryPredicate {
        let user = FieldValue.string("_0123456789abcdef0123456789abcdef")
        let names = [FieldValue.string("it's \\ a"), user, .reference(try Reference(RecordID("a", zone: "Z")))]
        let date = FieldValue.date(Timestamp(microseconds: Int64.random(in: .min...(.max), using: &generator)))
        return switch below(5) {
        case 0: QueryKey("recordName") == one(of: names)
        case 1: QueryKey("recordID").isIn(names)
        case 2: QueryKey("createdBy") != user
        case 3: QueryKey("createdAt") < date
        default: QueryKey("___modTime").isBetween(date, date)
        }
    }

    private mutating func name() -> String {
        one(of: [
            "name", "a", "A_1", "in", "SELF", "True", "nO", "tokenize", "allTokens", "like", "between", "order", "Null",
        ])
    }

    private mutating func value() throws -> FieldValue {
        switch below(11) {
        case 0...2: return .string(text())
        case 3: return .int64(one(of: [0, 1, -1, .min, .max]))
        case 4: return .int64(Int64.random(in: .min...(.max), using: &generator))
        case 5:
            return .double(
                one(of: [0, -0.0, 1, 1e16, .leastNonzeroMagnitude, -.greatestFiniteMagnitude, .nan, .infinity, 0.1])
            )
        case 6: return .double(Double(bitPattern: UInt64.random(in: 0...(.max), using: &generator)))
        case 7: return .boolean(below(2) == 0)
        case 8: return .date(Timestamp(microseconds: Int64.random(in: .min...(.max), using: &generator)))
        case 9: return .bytes([1, 2, UInt8(below(256))])
        default: return below(2) == 0 ? .location(try location()) : .reference(try Reference(RecordID("a", zone: "Z")))
        }
    }

    private mutating func location() throws -> Location {
        try Location(
            latitude: Double.random(in: -90...90, using: &generator),
            longitude: Double.random(in: -180...180, using: &generator)
        )
    }

    private mutating func text() -> String {
        let parts = [
            "", "'", "\"", "\\", "\n", "\0", "\u{7f}", "%@", "é", "e\u{301}", "日本", "😀", "a", " ", "\\u0041", "' OR 1",
            "\u{301}",
            "\r\n", "\u{2028}", "}",
        ]
        return (0..<below(5)).map { _ in one(of: parts) }.joined()
    }

    // MARK: Texts

    private static let words = [
        "AND", "or", "NOT", "!", "&&", "||", "(", ")", "{", "}", "[c]", ",", "=", "==", "!=", "<>", "<", "<=", "=<",
        ">", ">=",
        "=>", "BETWEEN", "IN", "CONTAINS", "BEGINSWITH", "ANY", "SOME", "ALL", "NONE", "self", "NULL", "nil", "TRUE",
        "no",
        "TRUEPREDICATE", "FALSEPREDICATE", "name", "start", "#in", "#", "%@", "%K", "%d", "%f", "%lld", "%", "%s", "5",
        "-1.5e3",
        "'a'", "\"b\"", "'", "\"", "\\", "'\\u00e9'", "tokenize", "tokenize('a', 'Cdl')", "allTokens", "LIKE",
        "createdAt",
        "distanceToLocation:fromLocation:", "distanceToLocation:fromLocation:(a, %@)", "createdBy", ":", ".", "$x", "é",
        "\0",
        "\u{FEFF}", "😀", "99999999999999999999", "1e999", "_a", "___modTime", "recordName",
    ]

    /// A text of random words, and arguments.
    mutating func text(maximumWords: Int) -> (text: String, arguments: [FieldValue]) {
        let separator = below(3) == 0 ? "" : " "
        let text = (0..<below(maximumWords)).map { _ in one(of: PredicateGenerator.words) }.joined(separator: separator)
        let arguments = (0..<below(4)).compactMap { _ in try? value() }
        return (text, arguments)
    }

    /// A text with some bytes changed, removed or repeated.
    mutating func damaged(_ text: String) -> String {
        var bytes = Array(text.utf8)
        for _ in 0...below(3) where !bytes.isEmpty {
            let place = below(bytes.count)
            switch below(4) {
            case 0: bytes[place] = UInt8(below(256))
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(contentsOf: bytes[..<place], at: place)
            default: bytes.removeSubrange(place...)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
