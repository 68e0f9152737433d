import KinfolkModel

/// The first row of the record numbers of a word. It holds them if they are few. Otherwise it lists the blocks that hold them, and the
/// latest changes, which are moved to the blocks together: so most changes write this row only.
struct PostingRoot: Equatable {
    struct Block: Equatable {
        /// The lowest position that belongs here; 0 for the first block.
        var first: Int64
        let number: Int64
        /// The number of bytes of its positions.
        var size: Int
    }

    /// The positions, if there are no blocks.
    var positions: [Int64] = []
    /// In the order of their positions.
    var blocks: [Block] = []
    /// Positions that are not in their block yet, or may be there already.
    var added: [Int64] = []
    /// Positions that may still be in their block.
    var removed: [Int64] = []
    /// The number of the next block.
    var nextBlock: Int64 = 1
    /// How many positions there are. It is not exact if there are blocks: a change that was made already is counted until it is moved to
    /// its block.
    var count: Int64 = 0

    init() {}

    // MARK: Bytes

    func append(to writer: inout PackedNumbers) {
        writer.append(UInt64(bitPattern: nextBlock))
        guard !blocks.isEmpty else { return writer.append(ascending: positions) }
        writer.append(UInt64(bitPattern: count))
        writer.append(ascending: blocks.map(\.first))
        writer.append(values: blocks.lazy.map { UInt64(bitPattern: $0.number) }, count: blocks.count)
        writer.append(values: blocks.lazy.map { UInt64($0.size) }, count: blocks.count)
        writer.append(ascending: added)
        writer.append(ascending: removed)
    }

    /// Reads a root without blocks.
    init(listIn reader: inout PackedNumbers.Reader) throws {
        nextBlock = Int64(bitPattern: try reader.number())
        positions = try reader.ascending()
        count = Int64(positions.count)
    }

    /// Reads a root with blocks.
    init(treeIn reader: inout PackedNumbers.Reader) throws {
        nextBlock = Int64(bitPattern: try reader.number())
        count = Int64(bitPattern: try reader.number())
        let firsts = try reader.ascending()
        let (numbers, sizes) = (try reader.values(firsts.count), try reader.values(firsts.count))
        guard firsts.first == 0 else { throw PostingRow.damage }
        for (first, (number, size)) in zip(firsts, zip(numbers, sizes)) {
            guard let size = Int(exactly: size) else { throw PostingRow.damage }
            blocks.append(Block(first: first, number: Int64(bitPattern: number), size: size))
        }
        added = try reader.ascending()
        removed = try reader.ascending()
    }

    // MARK: Blocks

    /// All positions.
    ///
    /// - Parameter stored: The positions in the blocks.
    func positions(with stored: [Int64]) -> [Int64] {
        blocks.isEmpty ? positions : SortedPositions.list(stored, adding: added[...], removing: removed[...])
    }

    /// Those of the candidates that are positions.
    ///
    /// - Parameter stored: Those of them that are in the blocks.
    func positions(with stored: [Int64], among candidates: [Int64]) -> [Int64] {
        guard !blocks.isEmpty else { return SortedPositions.intersection(positions, candidates) }
        let added = SortedPositions.intersection(added, candidates)
        return SortedPositions.list(stored, adding: added[...], removing: removed[...])
    }

    /// The index of the block to which a position belongs. There must be one.
    func index(of position: Int64) -> Int {
        var (low, high) = (0, blocks.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if blocks[middle].first <= position { low = middle } else { high = middle }
        }
        return low
    }

    /// The positions that belong to a block.
    func range(ofBlockAt index: Int) -> Range<Int64> {
        let end = index + 1 < blocks.count ? blocks[index + 1].first : Int64.max
        return blocks[index].first..<max(blocks[index].first, end)
    }
}
