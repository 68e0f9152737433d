import KinfolkCrypto
import KinfolkModel

/// The contacts that a person has paid for in a container: a sorted set, sealed for the caller to keep.
///
/// A state is `KNS1`, the length of the rest (four bytes, little-endian), and the sealed set: the first 16 bytes of each contact
/// hash, in ascending order. Several states may follow each other.
struct SyncState {
    private static let magic = Array("KNS1".utf8)
    private static let headerLength = 8

    /// Whether bytes begin as a sync state does. They may still be damaged, or be of another store.
    static func isMarked(_ bytes: [UInt8]) -> Bool { bytes.starts(with: magic) }

    private(set) var contacts: [Key] = []
    /// The start of the contacts with each first byte, and the end of the last ones; empty if there are no contacts.
    private var starts: [Int] = []
    /// Whether this is exactly one state, unchanged and sealed under the newest key, so that sealing it again would add nothing.
    private(set) var isAsGiven = false

    /// The first 16 bytes of a contact hash, ordered by bytes.
    struct Key: Hashable, Comparable {
        let high: UInt64
        let low: UInt64

        init(_ bytes: UnsafeRawBufferPointer) {
            guard bytes.count >= 16 else {
                (high, low) = (0, 0)
                return
            }
            high = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self))
            low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }

        static func < (left: Key, right: Key) -> Bool {
            left.high != right.high ? left.high < right.high : left.low < right.low
        }

        fileprivate func append(to bytes: inout [UInt8]) {
            withUnsafeBytes(of: high.bigEndian) { bytes.append(contentsOf: $0) }
            withUnsafeBytes(of: low.bigEndian) { bytes.append(contentsOf: $0) }
        }
    }

    init() {}

    /// Opens the states in `bytes`. Anything that is not a valid state of this owner is ignored.
    init(opening bytes: [UInt8], with keys: SealingKeys, for owner: SealedPlace) {
        var rest = bytes[...]
        var states = 0
        defer {
            // Sorted once at the end: adding many small states one by one to a large one would take the product of both sizes.
            if states > 1 { contacts = SyncState.sorted(contacts) }
            starts = SyncState.starts(of: contacts)
        }
        while rest.count > SyncState.headerLength, rest.starts(with: SyncState.magic) {
            let header = rest.prefix(SyncState.headerLength)
            let length = header.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(SyncState.headerLength)
            guard length <= rest.count else { return }
            let sealed = Array(rest.prefix(length))
            rest = rest.dropFirst(length)
            guard let set = try? keys.open(sealed, at: owner) else { continue }
            isAsGiven = sealed.count == bytes.count - SyncState.headerLength && keys.isNewest(sealed)
            states += 1
            set.withUnsafeBytes { set in
                for start in stride(from: 0, to: set.count - set.count % 16, by: 16) {
                    contacts.append(Key(UnsafeRawBufferPointer(rebasing: set[start..<start + 16])))
                }
            }
        }
    }

    func sealed(with keys: SealingKeys, for owner: SealedPlace) throws -> [UInt8] {
        var set: [UInt8] = []
        set.reserveCapacity(16 * contacts.count)
        for contact in contacts { contact.append(to: &set) }
        let sealed = try keys.seal(set, at: owner)
        let length = withUnsafeBytes(of: UInt32(truncatingIfNeeded: sealed.count).littleEndian, Array.init)
        return SyncState.magic + length + sealed
    }

    func contains(_ contact: Key) -> Bool {
        guard !starts.isEmpty else { return false }
        // Hashes are evenly distributed, so few have the same first byte.
        let first = Int(contact.high >> 56)
        var range = starts[first]..<starts[first + 1]
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if contacts[middle] == contact { return true }
            range = contacts[middle] < contact ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return false
    }

    /// Adds contacts that are sorted, each once.
    mutating func add(_ sorted: [Key]) { contacts = SyncState.union(contacts, sorted) }

    private static func starts(of sorted: [Key]) -> [Int] {
        guard !sorted.isEmpty else { return [] }
        var starts: [Int] = []
        starts.reserveCapacity(257)
        for (index, contact) in sorted.enumerated() {
            while starts.count <= Int(contact.high >> 56) { starts.append(index) }
        }
        while starts.count < 257 { starts.append(sorted.count) }
        return starts
    }

    /// The distinct contacts of several states, sorted.
    private static func sorted(_ contacts: [Key]) -> [Key] {
        var distinct: [Key] = []
        distinct.reserveCapacity(contacts.count)
        let ordered = contacts.sorted { one, other in
            ReadingSteps.take(1)
            return one < other
        }
        for contact in ordered where contact != distinct.last { distinct.append(contact) }
        return distinct
    }

    private static func union(_ left: [Key], _ right: [Key]) -> [Key] {
        ReadingSteps.take(left.count + right.count)
        var union: [Key] = []
        union.reserveCapacity(left.count + right.count)
        var (i, j) = (0, 0)
        while i < left.count || j < right.count {
            if j == right.count || (i < left.count && left[i] < right[j]) {
                union.append(left[i])
                i += 1
            } else {
                if i < left.count && left[i] == right[j] { i += 1 }
                union.append(right[j])
                j += 1
            }
        }
        return union
    }
}
