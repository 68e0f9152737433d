import Glibc
import Kinfolk
import KinfolkAccounts
import KinfolkCore
import KinfolkCrypto
import KinfolkRecords
import KinfolkStorage
import TestSupport

/// Measures how many values of QUERYABLE fields a thief guesses rightly, who knows the statistics of these fields.
struct SurveyResults {
    private static let creators = 8
    private static let privateRecords = 20

    private let store: AttackedStore
    private let surveys: [Survey]
    private let recordCount: Int
    private let privateUsers: Int
    private var generator = SeededGenerator(seed: 16)

    init(_ length: Length) throws {
        store = try AttackedStore()
        let counts = length.choose(short: [4, 16], long: [4, 16, 64])
        // Two values that are equally frequent cannot be told apart.
        surveys = [Survey(2, .uneven)] + Survey.Shape.allCases.flatMap { shape in counts.map { Survey($0, shape) } }
        recordCount = length.choose(short: 1_000, long: 10_000)
        privateUsers = length.choose(short: 20, long: 200)
        for survey in surveys {
            for field in ["first", "second"] { try store.container.addField(field, type: .string, to: survey.type) }
        }
    }

    func findings() throws -> [Finding] {
        var results = self
        return try results.run()
    }

    private mutating func run() throws -> [Finding] {
        let sessions = try (0..<SurveyResults.creators).map { try store.session(InventedPerson($0)) }
        var truth: [Tag: [Int]] = [:]
        for survey in surveys {
            for session in sessions {
                try save(recordCount / sessions.count, of: survey, in: session.publicDatabase, &truth)
            }
        }
        let tables = try StolenTables(store.service)
        let types = try StolenTables.types(store.container)
        let creators = try creatorTags(tables.rows)
        var findings = try surveys.map { survey in
            let rows = tables.rows.filter { $0.type == types[survey.type] }
            return try finding(survey, rows, without: creators, truth)
        }
        findings += try surveys.filter { $0.valueCount <= 4 }.map { try inPrivate($0, types) }
        return findings
    }

    /// Saves records with values of the survey, and notes the values by the tags of the names.
    private mutating func save(
        _ count: Int,
        of survey: Survey,
        in database: Database,
        _ truth: inout [Tag: [Int]]
    ) throws {
        let keys = try store.service.read { db in try store.service.keys(ofContainer: store.container.number, in: db) }
        let owner = database.scope == .private ? try database.session.userRecordID().value.bytes : []
        let tags = RecordTags(keys.recordTags[0], owner: owner)
        for start in stride(from: 0, to: count, by: Database.maximumBatch) {
            var operations: [RecordOperation] = []
            for _ in start..<min(start + Database.maximumBatch, count) {
                let values = survey.draw(&generator)
                var record = try Record(type: survey.type)
                try record.set("first", to: .string("first value \(values[0])"))
                try record.set("second", to: .string("second value \(values[1])"))
                truth[tags.name(record.id.name, zone: 0)] = values
                operations.append(.create(record))
            }
            for result in try database.run(operations) { _ = try result.get() }
        }
    }

    /// The tags of creators. One occurs in records of more than one type, unlike those of fields. Another one is in all records of one type
    /// that this creator has, as no value is.
    private func creatorTags(_ rows: [StolenTables.Row]) throws -> Set<Tag> {
        var types: [Tag: [Int64: [StolenTables.Row]]] = [:]
        for row in rows { for tag in row.entries { types[tag, default: [:]][row.type, default: []].append(row) } }
        let creators = types.filter { $0.value.count > 1 }
        guard creators.count == SurveyResults.creators else { throw ExperimentFailure("\(creators.count) creators") }
        let tags = creators.values.flatMap(\.values).reduce(into: Set(creators.keys)) { tags, rows in
            tags.formUnion(rows.dropFirst().reduce(rows[0].entries) { $0.intersection($1.entries) })
        }
        guard tags.count == creators.count * (1 + surveys.count) else {
            throw ExperimentFailure("\(tags.count) tags of creators")
        }
        return tags
    }

    /// How many records' values of the first field were guessed rightly.
    private struct Score {
        var total = 0
        /// By the statistics alone: everybody has the most frequent value.
        var blind = 0
        var byFrequency = 0
        var byPairs = 0

        mutating func add(_ other: Score) {
            total += other.total
            blind += other.blind
            byFrequency += other.byFrequency
            byPairs += other.byPairs
        }

        var shown: String {
            let parts = [blind, byFrequency, byPairs].map { "\((100 * Double($0) / Double(total)).rounded(to: 0)) %" }
            return
                "guessed right: \(parts[0]) without the store, \(parts[1]) by frequency, \(parts[2]) with the second field"
        }
    }

    private func score(
        _ survey: Survey,
        _ rows: [StolenTables.Row],
        without creators: Set<Tag>,
        _ truth: [Tag: [Int]]
    ) throws -> Score {
        let shares = survey.shares(ofField: 0)
        let most = shares.indices.max { shares[$0] < shares[$1] } ?? 0
        let fields = try StolenSurvey(rows.map { $0.entries.subtracting(creators) })
        // Which field is the first is not known either: the more probable one is taken.
        let guesses = [fields, fields.exchanged].map { stolen in
            let attack = SurveyAttack(survey, stolen)
            let pairs = attack.byPairs()
            return (
                stolen: stolen, frequency: attack.byFrequency(), pairs: pairs, likelihood: attack.likelihood(of: pairs)
            )
        }
        let isExchanged = guesses[1].likelihood > guesses[0].likelihood
        let (stolen, frequency, pairs, _) = guesses[isExchanged ? 1 : 0]
        var score = Score()
        for (row, record) in zip(rows, stolen.records) {
            guard let value = truth[row.name]?[0] else { throw ExperimentFailure("a record is not known") }
            score.total += 1
            if value == most { score.blind += 1 }
            if frequency[0][record[0]] == value { score.byFrequency += 1 }
            if pairs[0][record[0]] == value { score.byPairs += 1 }
        }
        return score
    }

    private func finding(
        _ survey: Survey,
        _ rows: [StolenTables.Row],
        without creators: Set<Tag>,
        _ truth: [Tag: [Int]]
    ) throws -> Finding {
        let score = try score(survey, rows, without: creators, truth)
        // With few values the attack must succeed: otherwise it would measure its own weakness.
        guard survey.valueCount > 4 || survey.shape == .even || score.byPairs * 10 >= score.total * 9 else {
            throw ExperimentFailure("the attack on \(survey.valueCount) values is too weak: \(score.shown)")
        }
        return Finding(
            "not promised: a QUERYABLE field with \(survey.valueCount) values, \(survey.shape)ly frequent, known statistics, "
                + "\(rows.count.grouped) public records",
            score.shown,
            isHeld: true
        )
    }

    /// Each private database has its own tags, so each is attacked alone.
    private mutating func inPrivate(_ survey: Survey, _ types: [String: Int64]) throws -> Finding {
        var truth: [Tag: [Int]] = [:]
        var owners: Set<[UInt8]> = []
        // Numbers of people that no other survey has.
        let first = 1_000 * survey.valueCount + (survey.shape == .even ? 500 : 0)
        for number in first..<first + privateUsers {
            let session = try store.session(InventedPerson(number))
            try save(SurveyResults.privateRecords, of: survey, in: session.privateDatabase, &truth)
            owners.insert(try session.userRecordID().value.bytes)
        }
        let rows = try StolenTables(store.service).rows.filter {
            owners.contains($0.owner) && $0.type == types[survey.type]
        }
        var sum = Score()
        for (_, rows) in Dictionary(grouping: rows, by: \.owner).sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }
        ) {
            sum.add(try score(survey, rows, without: [], truth))
        }
        let tags = Dictionary(grouping: rows.flatMap { row in row.entries.map { ($0, row.owner) } }) { $0.0 }
        let isSeparate = tags.values.allSatisfy { Set($0.map(\.1)).count == 1 }
        return Finding(
            "not promised: the same with \(survey.valueCount) values, \(survey.shape)ly frequent, in \(owners.count) private databases of "
                + "\(SurveyResults.privateRecords) records each",
            sum.shown + "; no tag is in two databases",
            isHeld: isSeparate && sum.total == privateUsers * SurveyResults.privateRecords
        )
    }
}

extension Double {
    var logarithm: Double { log(self) }
}
