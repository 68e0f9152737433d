import KinfolkModel
import KinfolkRecords
import KinfolkStorage

/// Compares the SEARCHABLE indexes with the words of the records.
///
/// A store may have very many words, so they are not kept. Each record number of each word counts as a random factor in one sum: it is
/// right by chance only once in 2^64 stores.
struct PostingCheck {
    /// Of the words of the records, without those in the index.
    private var difference = 0
    private(set) var missing = 0
    /// How many blocks the first rows of words name, without those that were found.
    private var blocks = 0

    /// The entries of a field in zones, or in the scopes of creators.
    private struct Part: Hashable {
        let container: Int64
        let field: Int64
        let isOfCreators: Bool
    }

    /// Indexes that are being built or removed, which are not compared.
    private var uncertain: Set<Part> = []

    var isRight: Bool { difference == 0 && missing == 0 }
    /// How many blocks belong to no word.
    var unexpectedBlocks: Int { max(0, 0 &- blocks) }

    /// Notes the words that a record should have in the index.
    mutating func note(_ record: RecordRow, _ type: TypeDefinition, in place: RecordPlace) {
        guard let number = record.number else { return }
        if !type.isSettled { noteUncertain(type, in: place.container) }
        let words = type.words(of: record.content, .certain)
        guard !words.isEmpty else { return }
        for scope in IndexScope.all(of: record.content, type, .certain, in: place) {
            for (field, words) in words {
                missing += words.count
                for word in words { difference &+= PostingCheck.factor(number, word, field, scope) }
            }
        }
    }

    /// While the index of a field is built or removed, some records have their words in it.
    private mutating func noteUncertain(_ type: TypeDefinition, in container: Int64) {
        let isOfCreatorsToo = type.hasCreatorScope(.certain) == type.hasCreatorScope(.possible)
        for field in type.fields.values where field.has(.searchable, .possible) {
            if !field.has(.searchable, .certain) {
                uncertain.insert(Part(container: container, field: field.number, isOfCreators: false))
            }
            if !field.has(.searchable, .certain) || !isOfCreatorsToo {
                uncertain.insert(Part(container: container, field: field.number, isOfCreators: true))
            }
        }
    }

    /// Notes a row of the index.
    mutating func note(_ row: PostingRow, in scope: IndexScope, _ db: Connection) throws {
        guard let records = try WordIndex.records(under: row, in: scope, db) else {
            blocks -= 1
            return
        }
        blocks += records.blocks
        let part = Part(
            container: scope.container,
            field: row.address.tree.field,
            isOfCreators: scope.key.zone == IndexScope.ofCreator
        )
        guard !uncertain.contains(part) else { return }
        missing -= records.numbers.count
        for number in records.numbers {
            difference &-= PostingCheck.factor(number, row.address.tree.word, row.address.tree.field, scope)
        }
    }

    private static func factor(_ number: Int64, _ word: Word, _ field: Int64, _ scope: IndexScope) -> Int {
        // The seed of Hasher is random in each process.
        var hasher = Hasher()
        hasher.combine(scope.container)
        hasher.combine(scope.key)
        hasher.combine(field)
        hasher.combine(word)
        hasher.combine(number)
        return hasher.finalize()
    }
}
