import Kinfolk
import KinfolkAccounts
import KinfolkCore
import KinfolkCrypto
import KinfolkRecords
import KinfolkStorage
import TestSupport

/// What a thief learns of SEARCHABLE words, who knows how frequent each word is: from the sizes of rows, and from the write-ahead log of a
/// running service, which has the latest transactions one by one.
struct GuessedWords {
    /// The n-th most frequent word is n times rarer than the first one (Zipf's law), as in a language.
    private static let words = WeightedChoice((1...1_000).map { 1 / Double($0) })
    private static let wordsOfRecord = 12
    private static let schema = """
        DEFINE SCHEMA RECORD TYPE Note (text STRING SEARCHABLE, GRANT READ TO "_world", GRANT CREATE TO "_icloud");
        """

    private let store: AttackedStore
    private let indexes: StolenIndexes
    private let user: UserRecordID
    private let texts: [Int64: Set<Int>]

    /// - Parameters:
    ///   - count: How many records are saved in batches.
    ///   - singles: How many are saved afterwards, each by itself.
    init(_ count: Int, singles: Int) throws {
        store = try AttackedStore()
        try store.container.applySchema(GuessedWords.schema)
        let session = try store.session(InventedPerson(1))
        user = try session.userRecordID()
        var generator = SeededGenerator(seed: 18)
        var drawn = (0..<count).map { _ in GuessedWords.draw(&generator) }
        var saved = try RecordBatches.save(drawn, in: session.privateDatabase, GuessedWords.record)
        var left = singles
        // The thief does not come right after a checkpoint.
        while try left > 0 || !GuessedWords.hasLog(store) {
            let words = GuessedWords.draw(&generator)
            saved.append(try session.privateDatabase.save(GuessedWords.record(words)))
            drawn.append(words)
            left -= 1
            guard left > -100 else { throw ExperimentFailure("the log shows nothing") }
        }
        indexes = try StolenIndexes(StolenFile(store.path))
        let numbers = try RecordBatches.numbers(of: saved, owner: user, in: store, indexes)
        texts = Dictionary(uniqueKeysWithValues: zip(numbers, drawn))
    }

    /// The words of a record.
    private static func draw(_ generator: inout SeededGenerator) -> Set<Int> {
        var drawn = Set<Int>()
        while drawn.count < wordsOfRecord { drawn.insert(words.draw(&generator)) }
        return drawn
    }

    /// Whether the log has at least two transactions that are not in the file.
    private static func hasLog(_ store: AttackedStore) throws -> Bool {
        let ends = StolenFile.transactions(inLogOf: store.path)
        let counts = try [0, ends.last ?? 0].map {
            try StolenIndexes(StolenFile(store.path, logLength: $0)).numbers.count
        }
        return ends.count >= 2 && counts[1] - counts[0] >= 2
    }

    private static func record(_ words: Set<Int>) throws -> Record {
        var record = try Record(type: "Note")
        try record.set("text", to: .string(words.sorted().map { "word\($0)" }.joined(separator: " ")))
        return record
    }

    func findings() throws -> [Finding] { [try fromRows(), try fromLog()] }

    // MARK: Rows

    private func fromRows() throws -> Finding {
        let sizes = Dictionary(grouping: indexes.postings, by: \.sealed.count).mapValues(\.count)
        let truth = try roots()
        let used = Set(texts.values.joined())
        guard truth.count == used.count, Set(indexes.postings.map(\.tag)).isSuperset(of: truth.keys) else {
            throw ExperimentFailure("\(truth.count) of \(used.count) words have a row")
        }
        let guessed = byRank(indexes.postings.map { ($0.tag, Double($0.sealed.count)) }).prefix(100)
        let right = guessed.count { truth[$0.tag] == $0.word }
        return Finding(
            "not promised: the SEARCHABLE index of \(texts.count.grouped) private records with 12 of 1,000 words of known frequencies",
            "\(indexes.postings.count.grouped) rows of \(sizes.count) sizes for \(used.count.grouped) words; by its size, the word of "
                + "\(right) of the 100 largest rows is guessed right; no row names a record",
            isHeld: true
        )
    }

    /// The words by the tags of their rows, which needs the key.
    private func roots() throws -> [Tag: Int] {
        let (keys, field) = try store.service.read { db in
            (
                try store.service.keys(ofContainer: store.container.number, in: db),
                try db.first("SELECT number FROM fields WHERE name = 'text'") { $0.integer(0) } ?? 0
            )
        }
        let tags = RecordTags(keys.recordTags[0], owner: user.value.bytes)
        let stored = Set(indexes.postings.map(\.tag))
        var roots: [Tag: Int] = [:]
        for number in GuessedWords.words.weights.indices {
            for word in Word.all(in: "word\(number)") {
                let tag = tags.posting(PostingAddress(rootOf: word, inField: field, lane: 0), zone: 0)
                if stored.contains(tag) { roots[tag] = number }
            }
        }
        return roots
    }

    /// The row with the highest weight has the most frequent word, and so on.
    private func byRank(_ rows: [(tag: Tag, weight: Double)]) -> [(tag: Tag, word: Int)] {
        rows.sorted { ($0.weight, $1.tag) > ($1.weight, $0.tag) }.enumerated().map { ($0.element.tag, $0.offset) }
    }

    // MARK: The log

    private func fromLog() throws -> Finding {
        let changes = try changedRows()
        guard !changes.isEmpty else { throw ExperimentFailure("the log shows no save") }
        let counted = changes.count { $0.tags.count == GuessedWords.wordsOfRecord }
        let frequency = Dictionary(grouping: changes.flatMap(\.tags)) { $0 }.mapValues { Double($0.count) }
        let sizes = Dictionary(indexes.postings.map { ($0.tag, Double($0.sealed.count)) }) { first, _ in first }
        // Rows of one size are told apart by how often they were changed.
        let guess = Dictionary(
            uniqueKeysWithValues: byRank(
                sizes.map { ($0.key, $0.value + frequency[$0.key, default: 0] / Double(changes.count + 1)) }
            )
            .map { ($0.tag, $0.word) }
        )
        var (right, blind, total) = (0, 0, 0)
        for change in changes {
            guard let words = texts[change.number] else { throw ExperimentFailure("a record of the log is not known") }
            total += words.count
            right += Set(change.tags.compactMap { guess[$0] }).intersection(words).count
            blind += words.count { $0 < GuessedWords.wordsOfRecord }
        }
        func share(_ count: Int) -> String { "\((100 * Double(count) / Double(total)).rounded(to: 0)) %" }
        return Finding(
            "not promised: the same with the write-ahead log of a running service, which shows the last \(changes.count.grouped) saves one by "
                + "one",
            "how many words a record has: \(counted) of \(changes.count); the rows of its words, and so which of these records share a "
                + "word; words guessed right: \(share(blind)) without the store, \(share(right)) with it",
            isHeld: true
        )
    }

    /// For each transaction of the log that saved one record, the rows of the index that it changed.
    private func changedRows() throws -> [(number: Int64, tags: [Tag])] {
        var changes: [(number: Int64, tags: [Tag])] = []
        var before = try StolenIndexes(StolenFile(store.path, logLength: 0))
        for end in StolenFile.transactions(inLogOf: store.path) {
            let after = try StolenIndexes(StolenFile(store.path, logLength: end))
            defer { before = after }
            let numbers = Set(after.numbers.values).subtracting(before.numbers.values)
            guard numbers.count == 1, let number = numbers.first else { continue }
            let old = Dictionary(before.postings.map { ($0.tag, $0.sealed) }) { first, _ in first }
            changes.append((number, after.postings.filter { old[$0.tag] != $0.sealed }.map(\.tag)))
        }
        return changes
    }
}
