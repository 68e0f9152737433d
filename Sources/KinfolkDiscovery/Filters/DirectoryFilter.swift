import KinfolkCrypto
import KinfolkStorage
import KinfolkThreads
import Synchronization

/// Tells which tags may be in a container's directory. Most contacts of most books are not there, and for nearly all of them the
/// filter answers without a read of the store.
///
/// A blocked Bloom filter (Putze, Sanders and Singler, 2007): a tag sets eight bits within one block of 256, so that a query
/// touches one cache line. There are no false negatives; about one in a hundred answers for missing tags is a false positive.
/// Tags are already random, so their own bits select the block and its bits. A tag that leaves the directory remains in the
/// filter: the store decides about every possible hit.
package final class DirectoryFilter: @unchecked Sendable {
    /// Words of 64 bits in a block.
    private static let blockLength = 4
    private static let bitsPerTag = 10

    private let blockCount: Int
    // Some threads query while another one adds tags: each word is atomic, and `state` says which rows the words contain.
    private let words: UnsafeMutablePointer<Atomic<UInt64>>
    private let room: Int
    private let state = Lock(State())

    private struct State {
        var added = 0
        var progress = DirectoryProgress()
        /// The total number of rows in the newest state of the store from which any rows were added.
        var newest: Int64 = 0
    }

    /// The history of the store to which its rows belong.
    let history: String

    /// - Parameter room: The number of tags up to which the false-positive rate holds.
    init(room: Int, history: String) {
        self.room = room
        self.history = history
        blockCount = DirectoryFilter.blockCount(for: room)
        // Aligned so that no block crosses a cache line.
        words = UnsafeMutableRawPointer.allocate(byteCount: DirectoryFilter.byteCount(room: room), alignment: 64)
            .bindMemory(to: Atomic<UInt64>.self, capacity: blockCount * DirectoryFilter.blockLength)
        for index in 0..<blockCount * DirectoryFilter.blockLength { (words + index).initialize(to: Atomic(0)) }
    }

    deinit {
        words.deinitialize(count: blockCount * DirectoryFilter.blockLength)
        UnsafeMutableRawPointer(words).deallocate()
    }

    var byteCount: Int { blockCount * DirectoryFilter.blockLength * 8 }

    /// How many bytes a filter for `room` tags takes.
    static func byteCount(room: Int) -> Int { blockCount(for: room) * blockLength * 8 }

    private static func blockCount(for room: Int) -> Int { room * bitsPerTag / (blockLength * 64) + 1 }

    /// The position up to which the rows of the directory were added.
    var progress: DirectoryProgress { state.withLock(\.progress) }

    /// How many tags were added.
    var count: Int { state.withLock(\.added) }

    /// Whether it has more tags than it was made for, so that the false-positive rate is too high.
    var isFull: Bool { state.withLock(\.added) > room }

    /// Whether the directory may have the tag. False only if no row up to the filter's progress has it.
    func mayContain(_ tag: Tag) -> Bool {
        var isThere = true
        forEachWord(of: tag) { word, bits in
            isThere = isThere && word.pointee.load(ordering: .relaxed) & bits == bits
        }
        return isThere
    }

    private func insert(_ tag: Tag) {
        forEachWord(of: tag) { word, bits in word.pointee.bitwiseOr(bits, ordering: .relaxed) }
    }

    /// The first half of the tag selects a block; the second half selects two bits in each of its words.
    private func forEachWord(of tag: Tag, _ body: (UnsafeMutablePointer<Atomic<UInt64>>, UInt64) -> Void) {
        let (first, second) = tag.words
        let block = Int(first.multipliedFullWidth(by: UInt64(blockCount)).high)
        var choice = second
        for index in 0..<DirectoryFilter.blockLength {
            let bits: UInt64 = 1 << (choice & 63) | 1 << (choice >> 6 & 63)
            body(words + (block * DirectoryFilter.blockLength + index), bits)
            choice >>= 12
        }
    }

    /// Adds the new rows in the transaction's snapshot, up to `end`. Returns false if the filter may lack rows of that
    /// snapshot: another thread has already added rows of a newer snapshot, in which a key rotation may have changed the tags.
    ///
    /// Several threads may do this at the same time, with different snapshots of the store: a row keeps its tag and its
    /// sequence number as long as it exists, and a new row's sequence number is higher than that of any earlier row in its
    /// lane.
    ///
    /// - Parameter seen: The state of the transaction's snapshot.
    func catchUp(
        to end: DirectoryProgress,
        ofState seen: DirectoryProgress,
        in container: Int64,
        _ db: Connection
    ) throws -> Bool {
        let known = state.withLock { $0 }
        guard known.newest <= seen.total else { return false }
        let ranges = end.ranges(after: known.progress)
        guard !ranges.isEmpty else { return true }
        var count = 0
        for range in ranges {
            let tags = try DirectoryTagTable.tags(in: container, after: range.first, through: range.last, db)
            for tag in tags { insert(tag) }
            count += tags.count
        }
        state.withLock { state in
            state.added += count
            state.newest = max(state.newest, seen.total)
            state.progress = state.progress.union(end)
        }
        return true
    }
}
