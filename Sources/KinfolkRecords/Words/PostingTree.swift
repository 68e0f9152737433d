import KinfolkModel

/// The record numbers of a word while they are changed, in one transaction.
///
/// The rows are a tree of two levels. A change goes to the root first. When the root has many, those of one block are moved to it. A
/// block that is full is split; small neighbours are joined; and few positions are held by the root alone.
struct PostingTree {
    /// How many changes a root with blocks keeps.
    private static let kept = 128
    /// The most positions in a row.
    private static let maximumCount = 8_192

    private let tree: PostingAddress.Tree
    private let before: PostingRoot?
    private(set) var root: PostingRoot
    /// What was read of the blocks, and those that are written.
    private var blocks: [Int64: [Int64]] = [:]
    private var changedBlocks: Set<Int64> = []
    private var deletedBlocks: Set<Int64> = []

    /// - Parameter root: As it is in the store; nil if the word has no records.
    init(_ tree: PostingAddress.Tree, _ root: PostingRoot?) {
        self.tree = tree
        before = root
        self.root = root ?? PostingRoot()
    }

    /// A row to write.
    struct Change {
        let address: PostingAddress
        /// Nil to delete the row.
        let content: PostingRow.Content?
    }

    /// The rows that changed.
    var changes: [Change] {
        let address = { PostingAddress(tree: tree, block: $0) }
        let isEmpty = root.blocks.isEmpty && root.positions.isEmpty
        let first = Change(address: address(PostingAddress.root), content: isEmpty ? nil : .root(root))
        return (root == before ? [] : [first])
            + changedBlocks.sorted().map { Change(address: address($0), content: blocks[$0].map { .block($0) }) }
            + deletedBlocks.sorted().map { Change(address: address($0), content: nil) }
    }

    // MARK: Changes

    /// Adds and removes positions, in the root only.
    ///
    /// - Parameters:
    ///   - added: In ascending order; none of them is removed too.
    ///   - removed: In ascending order.
    mutating func note(added: [Int64], removed: [Int64]) {
        guard !root.blocks.isEmpty else {
            root.positions = SortedPositions.list(root.positions, adding: added[...], removing: removed[...])
            root.count = Int64(root.positions.count)
            return
        }
        for position in added where SortedPositions.insert(position, in: &root.added) {
            root.count += SortedPositions.remove(position, from: &root.removed) ? 2 : 1
        }
        for position in removed where SortedPositions.insert(position, in: &root.removed) {
            root.count -= SortedPositions.remove(position, from: &root.added) ? 2 : 1
        }
    }

    /// The blocks that ``settle(_:)`` is going to change, apart from those that it splits off and joins.
    var neededBlocks: [Int64] { isSmall ? root.blocks.map(\.number) : blocksToChange }

    /// Moves changes to the blocks, until the root has few, and gives blocks and root the right size.
    ///
    /// - Parameter load: Reads a block.
    mutating func settle(_ load: (Int64) throws -> [Int64]) throws {
        for number in blocksToChange {
            guard let index = root.blocks.firstIndex(where: { $0.number == number }) else { continue }
            try move(toBlockAt: index, load)
        }
        if isSmall { try gather(load) }
        if root.blocks.isEmpty, !fits(root.positions, PostingRow.listSize) { plant() }
    }

    /// Blocks with the most changes first, until few changes are left.
    private var blocksToChange: [Int64] {
        var left = root.added.count + root.removed.count
        guard left > PostingTree.kept, !root.blocks.isEmpty else { return [] }
        var counts: [Int: Int] = [:]
        for position in root.added { counts[root.index(of: position), default: 0] += 1 }
        for position in root.removed { counts[root.index(of: position), default: 0] += 1 }
        let largest = counts.sorted { ($0.value, $1.key) > ($1.value, $0.key) }
        return largest.prefix { _, count in
            defer { left -= count }
            return left > PostingTree.kept
        }.map { root.blocks[$0.key].number }
    }

    /// Whether the root could hold all positions.
    private var isSmall: Bool {
        guard !root.blocks.isEmpty else { return false }
        let size = root.blocks.reduce(0) { $0 &+ $1.size }
        return root.count <= Int64(PostingTree.kept / 2)
            || root.count <= Int64(PostingTree.maximumCount / 2)
                && size &+ 8 &* root.added.count <= PostingRow.capacity(of: tree.word, PostingRow.listSize) / 2
    }

    // MARK: Blocks

    private mutating func block(_ number: Int64, _ load: (Int64) throws -> [Int64]) throws -> [Int64] {
        if let known = blocks[number] { return known }
        let positions = try load(number)
        blocks[number] = positions
        return positions
    }

    /// The most bytes of positions in a block. If a tree is very large, its blocks grow with its root.
    private var blockCapacity: Int {
        var size = PostingRow.blockSize
        while size < 8 * root.blocks.count { size *= 2 }
        return PostingRow.capacity(of: tree.word, size)
    }

    private func size(of positions: [Int64]) -> Int {
        var writer = PackedNumbers()
        writer.append(ascending: positions)
        return writer.bytes.count
    }

    private func fits(_ positions: [Int64], _ rowSize: Int) -> Bool {
        positions.count <= PostingTree.maximumCount
            && size(of: positions) <= PostingRow.capacity(of: tree.word, rowSize) - 16
    }

    /// Moves the changes that belong to a block.
    private mutating func move(toBlockAt index: Int, _ load: (Int64) throws -> [Int64]) throws {
        let range = root.range(ofBlockAt: index)
        let added = SortedPositions.indices(in: range, of: root.added)
        let removed = SortedPositions.indices(in: range, of: root.removed)
        let before = try block(root.blocks[index].number, load)
        let after = SortedPositions.list(before, adding: root.added[added], removing: root.removed[removed])
        root.count += Int64(after.count - before.count - added.count + removed.count)
        let isAppended = (before.last ?? -1) < root.added[added].first ?? -1
        root.added.removeSubrange(added)
        root.removed.removeSubrange(removed)
        replace(index, by: after, isAppended: isAppended)
        try join(at: index, load)
    }

    /// Writes positions to a block, and to new ones after it if they are too many.
    private mutating func replace(_ index: Int, by positions: [Int64], isAppended: Bool) {
        let old = root.blocks.remove(at: index)
        var number: Int64? = old.number
        var new: [PostingRoot.Block] = []
        for (part, size) in parts(of: positions, isAppended) {
            guard let first = part.first else { continue }
            let block = PostingRoot.Block(
                first: new.isEmpty ? old.first : first,
                number: number ?? takeNumber(),
                size: size
            )
            number = nil
            new.append(block)
            blocks[block.number] = part
            changedBlocks.insert(block.number)
        }
        if let number { delete(number) }
        root.blocks.insert(contentsOf: new, at: index)
        if !root.blocks.isEmpty { root.blocks[0].first = 0 }
    }

    private mutating func takeNumber() -> Int64 {
        defer { root.nextBlock &+= 1 }
        return root.nextBlock
    }

    private mutating func delete(_ number: Int64) {
        blocks[number] = nil
        changedBlocks.remove(number)
        deletedBlocks.insert(number)
    }

    /// Positions in parts that fit into blocks. If they grow at the end, the first parts are nearly full.
    private func parts(of positions: [Int64], _ isAppended: Bool) -> [(positions: [Int64], size: Int)] {
        let size = size(of: positions)
        guard positions.count > 1, size > blockCapacity || positions.count > PostingTree.maximumCount else {
            return [(positions, size)]
        }
        let middle = isAppended ? max(1, positions.count * 7 / 8) : positions.count / 2
        return parts(of: Array(positions[..<middle]), false) + parts(of: Array(positions[middle...]), isAppended)
    }

    /// Joins a small block with one of its neighbours.
    private mutating func join(at index: Int, _ load: (Int64) throws -> [Int64]) throws {
        guard index < root.blocks.count, root.blocks[index].size < blockCapacity / 2 else { return }
        for left in [index, index - 1] where left >= 0 && left + 1 < root.blocks.count {
            let (low, high) = (root.blocks[left], root.blocks[left + 1])
            guard low.size &+ high.size <= blockCapacity / 4 * 3 else { continue }
            let positions = try block(low.number, load) + block(high.number, load)
            let size = size(of: positions)
            guard size <= blockCapacity, positions.count <= PostingTree.maximumCount else { continue }
            root.blocks[left].size = size
            root.blocks.remove(at: left + 1)
            blocks[low.number] = positions
            changedBlocks.insert(low.number)
            delete(high.number)
            return
        }
    }

    /// Moves all positions to the root.
    private mutating func gather(_ load: (Int64) throws -> [Int64]) throws {
        var positions: [Int64] = []
        for known in root.blocks { positions += try block(known.number, load) }
        for known in root.blocks { delete(known.number) }
        root.positions = SortedPositions.list(positions, adding: root.added[...], removing: root.removed[...])
        root.count = Int64(root.positions.count)
        (root.blocks, root.added, root.removed) = ([], [], [])
    }

    /// Moves the positions of the root to blocks.
    private mutating func plant() {
        let positions = root.positions
        root.positions = []
        root.blocks = [PostingRoot.Block(first: 0, number: takeNumber(), size: 0)]
        replace(0, by: positions, isAppended: true)
    }
}
