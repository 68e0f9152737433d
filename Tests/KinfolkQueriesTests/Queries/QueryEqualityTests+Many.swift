import Kinfolk
import KinfolkModel
import KinfolkRecords
import TestSupport
import Testing

/// The same with more records than a page of an index has, of which many have equal values: then indexes are read in parts, and the
/// records of small ones are looked up in large ones.
extension QueryEqualityTests {
    private struct Row {
        let id: RecordID
        let half: Int64?
        let kind: Int64
        let number: Int64?
        let name: String
    }

    private struct Test {
        let text: String
        let holds: (Row) -> Bool
    }

    private static let names = ["anna", "Anna", "bert", "Carl", "dora", ""]

    private static func test(_ random: inout SeededGenerator, depth: Int = 2) -> Test {
        if depth > 0, Bool.random(using: &random) {
            let (one, other) = (test(&random, depth: depth - 1), test(&random, depth: depth - 1))
            return Int.random(in: 0..<3, using: &random) == 0
                ? Test(text: "(\(one.text)) OR (\(other.text))") { one.holds($0) || other.holds($0) }
                : Test(text: "(\(one.text)) AND (\(other.text))") { one.holds($0) && other.holds($0) }
        }
        let number = Int64.random(in: -10...510, using: &random)
        let kind = Int64.random(in: 0...10, using: &random)
        switch Int.random(in: 0..<9, using: &random) {
        case 0: return Test(text: "half = 1") { $0.half == 1 }
        case 1: return Test(text: "half IN {0, 1}") { $0.half != nil }
        case 2: return Test(text: "kind = \(kind)") { $0.kind == kind }
        case 3: return Test(text: "number < \(number)") { $0.number.map { $0 < number } ?? false }
        case 4: return Test(text: "number >= \(number)") { $0.number.map { $0 >= number } ?? false }
        case 5: return Test(text: "number != NULL") { $0.number != nil }
        case 6: return Test(text: "number = NULL") { $0.number == nil }
        case 7: return Test(text: "name >= 'b' AND name < 'd'") { ["bert", "Carl"].contains($0.name) }
        default: return Test(text: "self CONTAINS 'anna'") { ["anna", "Anna"].contains($0.name) }
        }
    }

    @Test func manyRecords() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for (name, indexes) in [
            ("half", FieldIndexes.queryable), ("kind", .queryable), ("number", [.queryable, .sortable]),
        ] {
            try container.addField(name, type: .int64, indexes: indexes, to: "Row")
        }
        try container.addField("name", type: .string, indexes: [.queryable, .sortable, .searchable], to: "Row")
        var rows: [Row] = []
        for _ in 0..<(Search.isLong ? 12 : 6) {
            let batch = try (0..<400).map { _ in
                let row = Row(
                    id: RecordID(),
                    half: pick([0, 1, 1, nil], &random),
                    kind: Int64.random(in: 0...10, using: &random),
                    number: Int.random(in: 0..<5, using: &random) == 0
                        ? nil : Int64.random(in: 0...500, using: &random),
                    name: pick(QueryEqualityTests.names, &random)
                )
                var record = try Record(type: "Row", id: row.id)
                if let half = row.half { try record.set("half", to: .int64(half)) }
                try record.set("kind", to: .int64(row.kind))
                if let number = row.number { try record.set("number", to: .int64(number)) }
                try record.set("name", to: .string(row.name))
                rows.append(row)
                return RecordOperation.create(record)
            }
            for result in try ada.privateDatabase.run(batch) { _ = try result.get() }
        }
        let numbers = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0.number) })
        for query in 0..<(Search.isLong ? 2_000 : 10) {
            let test = QueryEqualityTests.test(&random)
            let order: [QuerySortDescriptor] = pick(
                [[], [.ascending("number")], [.descending("number")], [.descending("createdAt")]],
                &random
            )
            let comment: Comment = "seed \(seed), query \(query): \(test.text)"
            let condition = try Query("Row", where: QueryPredicate(test.text), sortedBy: order)
            let found = try pages(ada.privateDatabase, condition, nil, 400).map(\.id)
            #expect(Set(found) == Set(rows.filter(test.holds).map(\.id)), comment)
            #expect(Set(found).count == found.count, comment)
            #expect(try ada.privateDatabase.count(condition) == found.count, comment)
            guard let first = order.first, first != .descending("createdAt") else { continue }
            let values = found.map { (numbers[$0] ?? nil) ?? Int64.min }
            let isOrdered = zip(values, values.dropFirst()).allSatisfy {
                first == .ascending("number") ? $0 <= $1 : $0 >= $1
            }
            #expect(isOrdered, comment)
        }
    }
}
