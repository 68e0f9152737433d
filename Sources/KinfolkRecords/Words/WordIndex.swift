import KinfolkModel
package import KinfolkStorage

/// Finds the records of a scope that have words in their SEARCHABLE fields.
package struct WordIndex {
    /// How many rows are looked up together.
    private static let pageSize = 4_096

    private let fields: [Int64]
    private let scope: IndexScope
    private let lanes: PostingLanes
    private let db: Connection

    /// - Parameter fields: The numbers of the fields in which a word may be.
    package init(_ fields: [Int64], in scope: IndexScope, _ db: Connection) {
        self.fields = fields
        self.scope = scope
        self.db = db
        lanes = PostingLanes(of: scope.key)
    }

    /// The records that have a word, in one lane: a tree for each field.
    private typealias Lane = [(tree: PostingAddress.Tree, root: PostingRoot)]

    /// About how many records have each word. A record that has a word in two fields is counted twice.
    package func counts(of words: [Word]) throws -> [Int] { try roots(of: words).map(count) }

    /// The numbers of the records that have all of these words, each in any of the fields, in order. No words are in no record.
    ///
    /// - Parameter candidates: The only numbers that are of interest, in order; nil for all.
    package func numbers(of words: [Word], among candidates: [Int64]? = nil) throws -> [Int64] {
        let roots = try roots(of: words)
        guard !roots.isEmpty, !roots.contains(where: { $0.allSatisfy(\.isEmpty) }) else { return [] }
        var found = candidates.map(lanes.positions)
        // The rarest word first: of the others, only the blocks are read in which its records may be.
        for word in roots.sorted(by: { count($0) < count($1) }) {
            let next = try found.map { try positions(word, among: $0) } ?? positions(word)
            if next.allSatisfy(\.isEmpty) { return [] }
            found = next
        }
        return lanes.numbers(found ?? [])
    }

    private func count(_ word: [Lane]) -> Int {
        word.joined().reduce(0) { $0 &+ Int(clamping: max(0, $1.root.count)) }
    }

    // MARK: Rows

    /// The roots of words, by their lanes. If a word is in no record, those of the words after it may be missing.
    private func roots(of words: [Word]) throws -> [[Lane]] {
        var roots = [[Lane]](repeating: [Lane](repeating: [], count: lanes.all.count), count: words.count)
        let perWord = max(1, fields.count * lanes.all.count)
        let pageSize = max(1, WordIndex.pageSize / perWord)
        for start in stride(from: 0, to: words.count, by: pageSize) {
            let page = start..<min(start + pageSize, words.count)
            let trees = page.flatMap { index in
                lanes.all.flatMap { lane in
                    fields.map { (index, PostingAddress.Tree(field: $0, word: words[index], lane: lane)) }
                }
            }
            let rows = try PostingTable.rows(
                trees.map { PostingAddress(tree: $1, block: PostingAddress.root) },
                in: scope,
                db
            )
            for ((index, tree), stored) in zip(trees, rows) {
                guard let root = try stored?.row.root else { continue }
                roots[index][Int(tree.lane)].append((tree, root))
            }
            if page.contains(where: { roots[$0].allSatisfy(\.isEmpty) }) { break }
        }
        return roots
    }

    /// The positions of a word, by lanes.
    private func positions(_ word: [Lane]) throws -> [[Int64]] {
        let addresses = word.joined().flatMap { tree, root in
            root.blocks.map { PostingAddress(tree: tree, block: $0.number) }
        }
        let blocks = try WordIndex.blocks(addresses, in: scope, db) { $1 }
        return word.map { trees in
            trees.reduce([]) { SortedPositions.union($0, $1.root.positions(with: blocks[$1.tree] ?? [])) }
        }
    }

    /// Those of the candidates that are positions of a word, by lanes. Only the blocks are read in which some may be.
    private func positions(_ word: [Lane], among candidates: [[Int64]]) throws -> [[Int64]] {
        var (addresses, parts): ([PostingAddress], [[Int64]]) = ([], [])
        for (candidates, trees) in zip(candidates, word) {
            for (tree, root) in trees {
                for (index, block) in root.blocks.enumerated() {
                    let part = SortedPositions.indices(in: root.range(ofBlockAt: index), of: candidates)
                    guard !part.isEmpty else { continue }
                    addresses.append(PostingAddress(tree: tree, block: block.number))
                    parts.append(Array(candidates[part]))
                }
            }
        }
        let blocks = try WordIndex.blocks(addresses, in: scope, db) { SortedPositions.intersection(parts[$0], $1) }
        return zip(candidates, word).map { candidates, trees in
            trees.reduce([]) { found, tree in
                SortedPositions.union(found, tree.root.positions(with: blocks[tree.tree] ?? [], among: candidates))
            }
        }
    }

    /// The positions in blocks, block after block.
    ///
    /// - Parameter take: Those that are needed of the block at an index.
    private static func blocks(
        _ addresses: [PostingAddress],
        in scope: IndexScope,
        _ db: Connection,
        _ take: (_ index: Int, _ positions: [Int64]) -> [Int64]
    ) throws -> [PostingAddress.Tree: [Int64]] {
        var blocks: [PostingAddress.Tree: [Int64]] = [:]
        for start in stride(from: 0, to: addresses.count, by: pageSize) {
            let page = start..<min(start + pageSize, addresses.count)
            for (index, stored) in zip(page, try PostingTable.rows(Array(addresses[page]), in: scope, db)) {
                guard let stored else { throw PostingRow.damage }
                blocks[addresses[index].tree, default: []] += take(index, try stored.row.positions)
            }
        }
        return blocks
    }

    // MARK: Checking

    /// The numbers of the records under a row, and how many blocks it has; nil if the row is a block.
    package static func records(
        under row: PostingRow,
        in scope: IndexScope,
        _ db: Connection
    ) throws -> (numbers: [Int64], blocks: Int)? {
        guard row.address.block == PostingAddress.root else { return nil }
        let (tree, root) = (row.address.tree, try row.root)
        let lanes = PostingLanes(of: scope.key)
        guard lanes.all.contains(tree.lane) else { throw PostingRow.damage }
        let addresses = root.blocks.map { PostingAddress(tree: tree, block: $0.number) }
        var positions = [[Int64]](repeating: [], count: lanes.all.count)
        positions[Int(tree.lane)] = root.positions(with: try blocks(addresses, in: scope, db) { $1 }[tree] ?? [])
        return (lanes.numbers(positions), root.blocks.count)
    }
}
