import Kinfolk

/// The addresses that a server tests with its own key, those of all contacts among them, and their tags.
struct Suspects {
    /// Those who search have numbers from here on.
    static let seekers = 40_000_000

    private let tags: [UInt64]
    private let people: Range<Int>

    var count: Int { tags.count }

    init(_ count: Int, _ directory: LargeDirectory) throws {
        people = directory.people
        tags = try Guesser(directory.key).tags(ofPeople: Array(0..<count))
    }

    /// Contacts for a book: half of them can be found.
    func contacts(_ count: Int, after first: Int = 0) -> [Int] {
        (0..<count).map { number in
            number.isMultiple(of: 2) ? (first + number) / 2 : people.upperBound + (first + number) * 17
        }
    }

    private static func prefix(_ tag: UInt64, _ bits: Int) -> UInt64 { bits == 0 ? 0 : tag >> UInt64(64 - bits) }

    func prefixes(of numbers: [Int], bits: Int) -> [UInt64] { numbers.map { Suspects.prefix(tags[$0], bits) } }

    /// Whose prefixes were asked for.
    func possible(_ seen: Conversation) -> [Int] {
        guard let bits = seen.bits else { return [] }
        let asked = seen.prefixes
        return tags.indices.filter { asked.contains(Suspects.prefix(tags[$0], bits)) }
    }

    /// How many have each prefix that was asked for.
    func perPrefix(_ seen: Conversation, without others: Set<Int> = []) -> [UInt64: Int] {
        guard let bits = seen.bits else { return [:] }
        var counts = Dictionary(uniqueKeysWithValues: seen.prefixes.map { ($0, 0) })
        for (number, tag) in tags.enumerated() where !others.contains(number) {
            counts[Suspects.prefix(tag, bits)]? += 1
        }
        return counts
    }
}
