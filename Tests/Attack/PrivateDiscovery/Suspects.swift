import Kinfolk
import KinfolkCrypto

/// The addresses that a server tests with its own key, and their bucket positions. They include all contacts.
struct Suspects {
    /// The people who search have numbers from here on.
    static let seekers = 40_000_000

    private let positions: [UInt64]
    private let people: Range<Int>

    var count: Int { positions.count }

    init(_ count: Int, _ directory: LargeDirectory) throws {
        try self.init(count, of: directory.people, bucketKey: directory.store.service.bucketKey())
    }

    init(_ count: Int, of people: Range<Int>, bucketKey: OPRFKey) throws {
        self.people = people
        positions = try Guesser(bucketKey).buckets(ofPeople: Array(0..<count))
    }

    /// Contacts for a book: half of them can be found.
    func contacts(_ count: Int, after first: Int = 0) -> [Int] {
        (0..<count).map { number in
            number.isMultiple(of: 2) ? (first + number) / 2 : people.upperBound + (first + number) * 17
        }
    }

    private static func prefix(_ position: UInt64, _ bits: Int) -> UInt64 {
        bits == 0 ? 0 : position >> UInt64(64 - bits)
    }

    func prefixes(of numbers: [Int], bits: Int) -> [UInt64] { numbers.map { Suspects.prefix(positions[$0], bits) } }

    /// The candidates whose prefixes were asked for.
    func possible(_ seen: Conversation) -> [Int] {
        guard let bits = seen.bits else { return [] }
        let asked = seen.prefixes
        return positions.indices.filter { asked.contains(Suspects.prefix(positions[$0], bits)) }
    }

    /// For each prefix that was asked for, the number of candidates that have it.
    func perPrefix(_ seen: Conversation, without others: Set<Int> = []) -> [UInt64: Int] {
        guard let bits = seen.bits else { return [:] }
        var counts = Dictionary(uniqueKeysWithValues: seen.prefixes.map { ($0, 0) })
        for (number, position) in positions.enumerated() where !others.contains(number) {
            counts[Suspects.prefix(position, bits)]? += 1
        }
        return counts
    }
}
