import KinfolkModel
import TestSupport
import Testing

@testable import KinfolkRecords

/// The rows of a word's record numbers, without a store.
@Suite struct PostingTreeTests {
    /// The rows of one word, as a store would hold them.
    private struct Rows {
        let name: PostingAddress.Tree
        var rows: [Int64: [UInt8]] = [:]
        var read = 0
        var written = 0
        var largest = 0

        init() throws {
            let word = try #require(Word.all(in: "word").first)
            name = PostingAddress.Tree(field: 7, word: word, lane: 0)
        }

        func row(_ number: Int64) throws -> PostingRow? {
            guard let bytes = rows[number] else { return nil }
            let row = try PostingRow(bytes)
            #expect(row.address == PostingAddress(tree: name, block: number))
            return row
        }

        mutating func change(added: [Int64], removed: [Int64]) throws {
            var tree = PostingTree(name, try row(0)?.root)
            tree.note(added: added, removed: removed)
            let needed = tree.neededBlocks
            var count = 0
            try tree.settle { number in
                count += 1
                return try #require(try row(number)).positions
            }
            if count > 0 { #expect(needed.count > 0) }
            read += count
            for change in tree.changes {
                written += 1
                rows[change.address.block] = change.content.map { PostingRow(change.address, $0).bytes }
                largest = max(largest, rows[change.address.block]?.count ?? 0)
            }
        }

        /// All positions, and whether the sizes of the blocks are right.
        func positions() throws -> [Int64] {
            guard let root = try row(0)?.root else {
                #expect(rows.isEmpty)
                return []
            }
            #expect(Set(root.blocks.map(\.number)) == Set(rows.keys).subtracting([0]))
            #expect(!rows.isEmpty)
            var stored: [Int64] = []
            for (index, block) in root.blocks.enumerated() {
                let positions = try #require(try row(block.number)).positions
                #expect(positions.allSatisfy(root.range(ofBlockAt: index).contains))
                #expect(!positions.isEmpty)
                stored += positions
            }
            for (low, high) in zip(root.blocks, root.blocks.dropFirst()) { #expect(low.first < high.first) }
            return root.positions(with: stored)
        }
    }

    @Test(arguments: [100 as Int64, 5_000, 200_000, 1 << 40]) func randomChangesLeadToTheSameSet(range: Int64) throws {
        var random = SystemRandomNumberGenerator()
        var rows = try Rows()
        var model: Set<Int64> = []
        // Grows, stays, and shrinks to nothing.
        for (steps, share) in [(250, 0.8), (150, 0.5), (150, 0.2)] {
            for _ in 0..<steps {
                var changes: [Int64: Bool] = [:]
                for _ in 0..<Int.random(in: 1...(Bool.random(using: &random) ? 3 : 200), using: &random) {
                    let isAdded = Double.random(in: 0..<1, using: &random) < share
                    let present = isAdded ? nil : model.randomElement(using: &random)
                    changes[present ?? Int64.random(in: 0..<range, using: &random)] = isAdded
                }
                let added = changes.filter(\.value).keys.sorted()
                let removed = changes.filter { !$0.value }.keys.sorted()
                model.formUnion(added)
                model.subtract(removed)
                try rows.change(added: added, removed: removed)
            }
            #expect(try rows.positions() == model.sorted())
        }
        while !model.isEmpty {
            let removed = model.shuffled(using: &random).prefix(300).sorted()
            model.subtract(removed)
            try rows.change(added: [], removed: removed)
        }
        #expect(try rows.positions() == [])
        #expect(rows.rows.isEmpty)
        #expect(rows.largest <= 4_095)
    }

    @Test func mostChangesWriteOneRow() throws {
        var rows = try Rows()
        try rows.change(added: Array(stride(from: 0, to: 1_000_000, by: 50)), removed: [])
        #expect((4...8).contains(rows.rows.count))
        (rows.read, rows.written) = (0, 0)
        for position in 0..<10_000 as Range<Int64> { try rows.change(added: [1_000_000 + 50 * position], removed: []) }
        // A block for every 128 positions; and new blocks.
        #expect(rows.written < 10_000 + 2 * 10_000 / 128)
        #expect(rows.read < 2 * 10_000 / 128)
        #expect(try rows.positions().count == 30_000)
        // Blocks that grow at their end are nearly full.
        #expect(rows.rows.count <= 13)
    }

    @Test func blocksThatShrinkAreJoined() throws {
        var rows = try Rows()
        let all = Array(stride(from: 0 as Int64, to: 2_000_000, by: 50))
        try rows.change(added: all, removed: [])
        let count = rows.rows.count
        for start in stride(from: 0, to: all.count, by: 100) {
            try rows.change(added: [], removed: Array(all[start..<start + 98]))
        }
        #expect(try rows.positions().count == all.count / 50)
        #expect(rows.rows.count <= count / 4)
    }

    @Test func changesThatWereMadeAlreadyChangeNothing() throws {
        var rows = try Rows()
        let all = Array(stride(from: 0 as Int64, to: 100_000, by: 7))
        try rows.change(added: all, removed: [])
        for start in stride(from: 0, to: all.count - 100, by: 100) {
            try rows.change(added: Array(all[start..<start + 100]), removed: [all[start] + 1])
        }
        #expect(try rows.positions() == all)
        let count = try #require(try rows.row(0)?.root.count)
        #expect(abs(count - Int64(all.count)) <= 128)
    }

    /// Each row of a service begins at a multiple of a thousand.
    @Test func lanesKeepTheOrderOfNumbers() throws {
        let lanes = PostingLanes(of: IndexScope.Key(owner: [], zone: 0))
        #expect(lanes.count == 8)
        #expect(PostingLanes(of: IndexScope.Key(owner: [1], zone: 0)).count == 1)
        var random = SystemRandomNumberGenerator()
        for range in [3_000 as Int64, 100_000, PackedNumbers.limit - 1] {
            let numbers = Set((0..<3_000).map { _ in Int64.random(in: 0...range, using: &random) } + [0, range])
                .sorted()
            var positions = [[Int64]](repeating: [], count: 8)
            for number in numbers {
                let (lane, position) = lanes.position(of: number)
                positions[Int(lane)].append(position)
            }
            #expect(positions.allSatisfy { $0 == $0.sorted() })
            #expect(lanes.numbers(positions) == numbers)
        }
    }

    @Test func listsAreCombinedLikeSets() {
        var random = SystemRandomNumberGenerator()
        func list(_ count: Int, _ range: Int64) -> [Int64] {
            Set((0..<count).map { _ in Int64.random(in: 0...range, using: &random) }).sorted()
        }
        for _ in 0..<500 {
            let range: Int64 = [20, 1_000, 1 << 50].randomElement() ?? 20
            let (one, two) = (list(Int.random(in: 0...30), range), list(Int.random(in: 0...3_000), range))
            #expect(SortedPositions.intersection(one, two) == Set(one).intersection(two).sorted())
            #expect(SortedPositions.intersection(two, one) == Set(one).intersection(two).sorted())
            #expect(SortedPositions.union(one, two) == Set(one).union(two).sorted())
            let gone = list(Int.random(in: 0...30), range).filter { !one.contains($0) }
            #expect(
                SortedPositions.list(two, adding: one[...], removing: gone[...])
                    == Set(two).subtracting(gone).union(one).sorted()
            )
        }
    }
}
