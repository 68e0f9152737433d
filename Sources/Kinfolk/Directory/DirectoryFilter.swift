import KinfolkCrypto
import KinfolkStorage
import KinfolkThreads
import Synchronization

/// Which tags may be in a container's directory. Most contacts of most books are not there, and this says so for nearly all of
/// them without a look at the store.
///
/// A blocked Bloom filter (Putze, Sanders and Singler, 2007): a tag sets eight bits within one block of 256, so that asking
/// touches one cache line. It never says no to a tag that is there; to one that is not it says perhaps about once in a
/// hundred times. Tags are random already, so their own bits choose. A tag that leaves the directory stays here: the store
/// decides on whatever may be there.
final class DirectoryFilter: @unchecked Sendable {
    /// Words of 64 bits in a block.
    private static let blockLength = 4
    private static let bitsPerTag = 10

    private let blockCount: Int
    // Threads ask while another adds: each word is atomic, and `state` says what is in them.
    private let words: UnsafeMutablePointer<Atomic<UInt64>>
    private let room: Int
    private let state = Lock(State())

    private struct State {
        var added = 0
        var progress = DirectoryProgress()
        /// How many rows there were in the newest state of the store that any were taken from.
        var newest: Int64 = 0
    }

    /// The history of the store from which its rows are.
    let history: String

    /// - Parameter room: For so many tags it is as good as it says.
    init(room: Int, history: String) {
        self.room = room
        self.history = history
        blockCount = DirectoryFilter.blockCount(for: room)
        // So that no block lies across two cache lines.
        words = UnsafeMutableRawPointer.allocate(byteCount: DirectoryFilter.byteCount(room: room), alignment: 64)
            .bindMemory(to: Atomic<UInt64>.self, capacity: blockCount * DirectoryFilter.blockLength)
        for index in 0..<blockCount * DirectoryFilter.blockLength { (words + index).initialize(to: Atomic(0)) }
    }

    deinit {
        words.deinitialize(count: blockCount * DirectoryFilter.blockLength)
        UnsafeMutableRawPointer(words).deallocate()
    }

    var byteCount: Int { blockCount * DirectoryFilter.blockLength * 8 }

    /// How many bytes a filter for so many tags takes.
    static func byteCount(room: Int) -> Int { blockCount(for: room) * blockLength * 8 }

    private static func blockCount(for room: Int) -> Int { room * bitsPerTag / (blockLength * 64) + 1 }

    /// Up to where the rows of the directory are in.
    var progress: DirectoryProgress { state.withLock(\.progress) }

    /// How many tags it has taken in.
    var count: Int { state.withLock(\.added) }

    /// Whether more tags came than it was made for, so that it says perhaps too often.
    var isFull: Bool { state.withLock(\.added) > room }

    /// False if the tag is not in the directory, as far as it has come.
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

    /// A block by the first half of the tag, and two bits of each of its words by the other.
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

    /// Takes in the rows that came since, up to `end`, as the transaction sees them. False if the filter may lack rows that
    /// it sees: somebody took in rows of a newer state, in which the keys may have been rotated and rows have other tags.
    ///
    /// Several threads may do this at once, at different states of the store: a row keeps its tag and its sequence as long as
    /// it is there, and a new one's sequence is higher than that of any before in its lane.
    ///
    /// - Parameter seen: The state that the transaction sees.
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
            let tags = try DirectoryTable.tags(in: container, after: range.first, through: range.last, db)
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
