/// Searches for millions of byte strings at once, at every offset.
///
/// The first eight bytes of each string go into a Bloom filter. Every offset of the haystack is tested against the filter, and the
/// few that pass are compared. So the strings are generated twice, and never stored.
struct NeedleSearch {
    /// The offset at which a string was found, and the caller's label of the string.
    struct Hit {
        let offset: Int
        let label: Int
    }

    /// Makes all strings, each of eight bytes or more, and a label.
    typealias Needles = (_ body: ([UInt8], Int) -> Void) -> Void

    private(set) var hits: [Hit] = []
    private(set) var needleCount = 0

    init(_ haystack: [UInt8], for needles: Needles) {
        var marked = BitFilter(bits: 28)
        var count = 0
        needles { needle, _ in
            guard let start = NeedleSearch.start(of: needle) else { return }
            marked.insert(start)
            count += 1
        }
        needleCount = count
        let (places, passed) = NeedleSearch.places(in: haystack, that: marked)
        var hits: [Hit] = []
        needles { needle, label in
            guard let start = NeedleSearch.start(of: needle), passed.mayContain(start), let offsets = places[start]
            else { return }
            // Sixteen bytes are never there by chance. Stored hashes may be truncated, so the rest is not compared.
            let compared = needle.prefix(16)
            for offset in offsets where haystack[offset...].starts(with: compared) {
                hits.append(Hit(offset: offset, label: label))
            }
        }
        self.hits = hits
    }

    private static func places(
        in haystack: [UInt8],
        that filter: borrowing BitFilter
    ) -> ([UInt64: [Int]], BitFilter) {
        var places: [UInt64: [Int]] = [:]
        var passed = BitFilter(bits: 24)
        haystack.withUnsafeBytes { bytes in
            guard bytes.count >= 8 else { return }
            for offset in 0...bytes.count - 8 {
                let window = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                // The empty parts of pages.
                if window == 0 { continue }
                if filter.mayContain(window) {
                    places[window, default: []].append(offset)
                    passed.insert(window)
                }
            }
        }
        return (places, passed)
    }

    private static func start(of needle: [UInt8]) -> UInt64? {
        guard needle.count >= 8 else { return nil }
        return needle.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
    }
}

/// A Bloom filter of eight-byte values, with two bits for each.
struct BitFilter {
    private var words: [UInt64]
    private let shift: UInt64

    /// With that many bits, as a power of two.
    init(bits: Int) {
        words = Array(repeating: 0, count: 1 << (bits - 6))
        shift = UInt64(64 - bits)
    }

    mutating func insert(_ value: UInt64) {
        let (first, second) = positions(of: value)
        words[Int(first >> 6)] |= 1 << (first & 63)
        words[Int(second >> 6)] |= 1 << (second & 63)
    }

    func mayContain(_ value: UInt64) -> Bool {
        let (first, second) = positions(of: value)
        return words[Int(first >> 6)] & 1 << (first & 63) != 0 && words[Int(second >> 6)] & 1 << (second & 63) != 0
    }

    private func positions(of value: UInt64) -> (UInt64, UInt64) {
        let mixed = (value ^ value >> 32) &* 0x9e37_79b9_7f4a_7c15
        return (mixed >> shift, ((mixed ^ mixed >> 29) &* 0xbf58_476d_1ce4_e5b9) >> shift)
    }
}
