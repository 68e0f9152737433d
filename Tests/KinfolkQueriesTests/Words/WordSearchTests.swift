import Kinfolk
import KinfolkCore
import KinfolkCrypto
import KinfolkModel
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

@testable import KinfolkRecords

/// The search of words that many records have: their numbers are in several blocks.
@Suite struct WordSearchTests {
    private static let fields: [Int64] = [101, 102]

    private let store: TestService
    private let ada: Session

    init() throws {
        store = try TestService()
        ada = try store.session("Ada")
    }

    private func scope(_ owner: UserRecordID?, _ db: Connection) throws -> IndexScope {
        let keys = try store.service.keys(ofContainer: store.container.number, in: db)
        return IndexScope(of: RecordPlace(ofPrivate: owner, in: store.container.number, keys))
    }

    /// Writes that records have a word in a field, or lost it.
    private func write(
        _ word: Word,
        _ field: Int64,
        added: Set<Int64>,
        removed: Set<Int64> = [],
        of owner: UserRecordID?
    ) throws {
        try store.service.write { db in
            let scope = try scope(owner, db)
            let lanes = PostingLanes(of: scope.key)
            func positions(_ numbers: Set<Int64>, _ lane: UInt8) -> [Int64] {
                numbers.map(lanes.position(of:)).filter { $0.lane == lane }.map(\.position).sorted()
            }
            let changes = lanes.all.map { lane in
                PostingWriting.Change(
                    tree: PostingAddress.Tree(field: field, word: word, lane: lane),
                    added: positions(added, lane),
                    removed: positions(removed, lane)
                )
            }
            try PostingWriting(in: scope, db).run(changes.filter { !$0.added.isEmpty || !$0.removed.isEmpty })
        }
    }

    @Test(arguments: [false, true]) func severalWordsAreFoundAmongTheBlocks(isPrivate: Bool) throws {
        let owner = isPrivate ? try ada.userRecordID() : nil
        let words = try ["few", "some", "many"].map { try #require(Word.all(in: $0).first) }
        var records = [[Set<Int64>]](repeating: [[], []], count: words.count)
        for (index, size) in [300, 4_000, 16_000].enumerated() {
            for (place, field) in WordSearchTests.fields.enumerated() {
                let numbers = Set((0..<size).map { _ in Int64.random(in: 1...100_000) })
                // What is in the blocks; and changes that are in the root only.
                let late = Set(numbers.prefix(60))
                let lost = Set(numbers.subtracting(late).prefix(60))
                try write(words[index], field, added: numbers.subtracting(late), of: owner)
                try write(words[index], field, added: late, removed: lost, of: owner)
                records[index][place] = numbers.subtracting(lost)
            }
        }
        let blocks = try store.number("SELECT count(*) FROM postings")
        #expect(blocks > 12)
        try store.service.read { db in
            for fields in [[0], [1], [0, 1]] {
                let index = WordIndex(fields.map { WordSearchTests.fields[$0] }, in: try scope(owner, db), db)
                for asked in [[0], [1, 2], [2, 0], [0, 1, 2]] {
                    let sets = asked.map { word in Set(fields.flatMap { records[word][$0] }) }
                    let expected = sets.dropFirst().reduce(sets[0]) { $0.intersection($1) }.sorted()
                    #expect(try index.numbers(of: asked.map { words[$0] }) == expected)
                }
            }
        }
    }
}
