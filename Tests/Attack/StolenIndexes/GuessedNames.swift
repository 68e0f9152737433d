import Kinfolk
import KinfolkAccounts
import KinfolkCrypto
import KinfolkRecords
import TestSupport

/// How many values of a QUERYABLE field a thief guesses rightly, who knows how frequent each value is.
struct GuessedNames {
    /// How many thousand people have each of the 100 most frequent surnames in the census of the United States of 2010.
    private static let frequencies = [
        2443, 1933, 1625, 1437, 1425, 1166, 1161, 1116, 1095, 1060, 1043, 875, 841, 802, 784, 756, 751, 724, 708, 703,
        693, 682,
        665, 660, 624, 613, 563, 557, 532, 530, 523, 484, 483, 465, 459, 440, 438, 438, 435, 434, 430, 428, 425, 420,
        407, 391, 386,
        384, 377, 377, 366, 361, 356, 349, 348, 336, 334, 332, 330, 328, 325, 319, 312, 308, 303, 302, 293, 287, 286,
        280, 278, 278,
        277, 267, 265, 263, 262, 261, 260, 260, 253, 252, 251, 250, 249, 248, 246, 243, 239, 236, 235, 234, 230, 230,
        230, 230, 229,
        229, 228, 227,
    ]
    private static let schema = """
        DEFINE SCHEMA RECORD TYPE Person (surname STRING QUERYABLE, GRANT READ TO "_world", GRANT CREATE TO "_icloud");
        """

    private let indexes: StolenIndexes
    /// The name of each record, as its place among the most frequent ones.
    private let truth: [Int64: Int]
    /// The records that the thief saved before, by their names.
    private let own: [Int64]

    init(_ count: Int) throws {
        let store = try AttackedStore()
        try store.container.applySchema(GuessedNames.schema)
        let names = WeightedChoice(GuessedNames.frequencies.map(Double.init))
        var generator = SeededGenerator(seed: 18)
        let drawn = (0..<count).map { _ in names.draw(&generator) }
        let saved = try RecordBatches.save(
            drawn,
            in: store.session(InventedPerson(1)).publicDatabase,
            GuessedNames.record
        )
        let chosen = try RecordBatches.save(
            Array(names.weights.indices),
            in: store.session(InventedPerson(2)).publicDatabase,
            GuessedNames.record
        )
        indexes = try StolenIndexes(StolenFile(store.path))
        let numbers = try RecordBatches.numbers(of: saved + chosen, in: store, indexes)
        truth = Dictionary(uniqueKeysWithValues: zip(numbers, drawn))
        own = Array(numbers.suffix(chosen.count))
    }

    private static func record(_ name: Int) throws -> Record {
        var record = try Record(type: "Person")
        try record.set("surname", to: .string("surname \(name)"))
        return record
    }

    func findings() throws -> [Finding] {
        let records = Dictionary(grouping: indexes.values.filter { truth[$0.number] != nil }, by: \.tag).mapValues {
            $0.map(\.number)
        }
        // The creator has two tags, which are in all of these records.
        let tags = records.filter { $0.value.count < truth.count }.sorted { $0.value.count > $1.value.count }
        guard records.count == tags.count + 2, tags.count <= GuessedNames.frequencies.count else {
            throw ExperimentFailure("\(records.count) tags")
        }
        var (names, right) = (0, 0)
        for (rank, (_, numbers)) in tags.enumerated() where truth[numbers[0]] == rank {
            names += 1
            right += numbers.count
        }
        let blind = truth.values.count { $0 == 0 }
        // The tag of each own record names all others with the tag.
        let ownTags = Dictionary(grouping: indexes.values.filter { own.contains($0.number) }, by: \.number)
        let named = own.enumerated().reduce(0) { sum, next in
            let (name, number) = next
            let tag = ownTags[number, default: []].first { records[$0.tag] != nil }?.tag
            return sum + (tag.flatMap { records[$0] } ?? []).count { truth[$0] == name }
        }
        guard named == truth.count, right > blind else {
            throw ExperimentFailure("\(named) of \(truth.count) records were named, and \(right) by frequency")
        }
        func share(_ count: Int) -> String { "\((100 * Double(count) / Double(truth.count)).rounded(to: 0)) %" }
        return [
            Finding(
                "not promised: a QUERYABLE field with the 100 most frequent surnames of a country, in \(truth.count.grouped) public records",
                "records guessed right: \(share(blind)) without the store, \(share(right)) by frequency (\(names) names)",
                isHeld: true
            ),
            Finding(
                "not promised: the same, by a thief who saved a record with each name in this database before",
                "\(share(named)) named",
                isHeld: true
            ),
        ]
    }
}
