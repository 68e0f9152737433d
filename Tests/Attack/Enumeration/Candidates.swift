import Kinfolk
import TestSupport

/// Contacts that nobody asked about before.
struct Candidates {
    private var generator: SeededGenerator
    private var addresses = 0
    private let seed: UInt64

    init(seed: UInt64) {
        self.seed = seed
        generator = SeededGenerator(seed: seed)
    }

    mutating func book(_ count: Int) throws -> ContactBook {
        var book = ContactBook()
        for _ in 0..<count {
            var words: (UInt64, UInt64, UInt64, UInt64) = (
                generator.next(), generator.next(), generator.next(), generator.next()
            )
            guard let hash = withUnsafeBytes(of: &words, { ContactHash(bytes: $0) }) else { continue }
            try book.add(hash: hash)
        }
        return book
    }

    mutating func address() throws -> EmailAddress {
        addresses += 1
        return try EmailAddress("candidate-\(seed)-\(addresses)@example.org")
    }
}
