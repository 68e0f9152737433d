import KinfolkModel
import KinfolkStorage

/// The words that records got and lost in a transaction. They are written together, so that a row is read and written once, however
/// many records have its word.
struct WordChanges {
    /// How many changes are kept in memory.
    private static let limit = 50_000

    private struct Key: Hashable {
        let scope: IndexScope.Key
        let tree: PostingAddress.Tree
    }

    private struct Change {
        let position: Int64
        let isAdded: Bool
    }

    /// What a record's words follow from: its content, and the indexes of its type.
    struct Source {
        let content: RecordContent
        let type: TypeDefinition
    }

    private var scopes: [IndexScope.Key: IndexScope] = [:]
    private var changes: [Key: [Change]] = [:]
    private var count = 0

    /// Whether the changes should be written now.
    var areMany: Bool { count >= WordChanges.limit }

    // MARK: Collecting

    /// Notes the change of a record.
    ///
    /// - Parameters:
    ///   - old: What the present entries follow from; nil for a new record.
    ///   - new: What they follow from now; nil for a deleted record.
    mutating func note(_ number: Int64, from old: Source?, to new: Source?, in place: RecordPlace) throws {
        let before = old?.type.searchableFields(.possible) ?? [:]
        let after = new?.type.searchableFields(.wanted) ?? [:]
        guard !before.isEmpty || !after.isEmpty else { return }
        guard (0..<PackedNumbers.limit).contains(number) else { throw PostingRow.damage }
        // The entries that are certainly there. Others are added also if they did not change.
        let certain = old?.type.searchableFields(.certain) ?? [:]
        func scopes(_ source: Source?, _ presence: IndexPresence) -> [IndexScope] {
            source.map { IndexScope.all(of: $0.content, $0.type, presence, in: place) } ?? []
        }
        let (oldScopes, certainScopes) = (scopes(old, .possible), scopes(old, .certain).map(\.key))
        let newScopes = scopes(new, .wanted)
        for (name, field) in before.merging(after, uniquingKeysWith: { $1 }) {
            let (oldField, newField) = (before[name], after[name])
            let oldValue = oldField == nil ? nil : old?.content.fields[name]
            let newValue = newField == nil ? nil : new?.content.fields[name]
            let isCertain = certain[name] != nil
            let isSame =
                oldValue == newValue && oldField == newField && oldScopes.map(\.key) == newScopes.map(\.key)
                && isCertain && certainScopes == oldScopes.map(\.key)
            guard !isSame else { continue }
            let lost = oldValue.map(Word.all(in:)) ?? []
            let gained = newValue.map(Word.all(in:)) ?? []
            for scope in oldScopes {
                let isKept = newScopes.contains { $0.key == scope.key } && oldField == newField
                note(isKept ? lost.subtracting(gained) : lost, oldField ?? field, number, isAdded: false, scope)
            }
            for scope in newScopes {
                let isKept = certainScopes.contains(scope.key) && isCertain && oldField == newField
                note(isKept ? gained.subtracting(lost) : gained, field, number, isAdded: true, scope)
            }
        }
    }

    private mutating func note(
        _ words: Set<Word>,
        _ field: Int64,
        _ number: Int64,
        isAdded: Bool,
        _ scope: IndexScope
    ) {
        guard !words.isEmpty else { return }
        scopes[scope.key] = scope
        let (lane, position) = PostingLanes(of: scope.key).position(of: number)
        for word in words {
            let key = Key(scope: scope.key, tree: PostingAddress.Tree(field: field, word: word, lane: lane))
            changes[key, default: []].append(Change(position: position, isAdded: isAdded))
        }
        count += words.count
    }

    // MARK: Writing

    /// Writes the changes.
    mutating func write(_ db: Connection) throws {
        guard !changes.isEmpty else { return }
        var perScope: [IndexScope.Key: [PostingWriting.Change]] = [:]
        for (key, changes) in changes { perScope[key.scope, default: []].append(WordChanges.net(changes, key.tree)) }
        for (key, changes) in perScope.sorted(by: { $0.key < $1.key }) {
            guard let scope = scopes[key] else { continue }
            try PostingWriting(in: scope, db).run(changes)
        }
        self = WordChanges()
    }

    /// What the changes of a tree lead to: the last one of each record counts.
    private static func net(_ changes: [Change], _ tree: PostingAddress.Tree) -> PostingWriting.Change {
        let last = Dictionary(changes.lazy.map { ($0.position, $0.isAdded) }) { _, last in last }
        return PostingWriting.Change(
            tree: tree,
            added: last.lazy.filter(\.value).map(\.key).sorted(),
            removed: last.lazy.filter { !$0.value }.map(\.key).sorted()
        )
    }
}
