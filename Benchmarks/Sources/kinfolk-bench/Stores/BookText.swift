/// Contact books as text, one address a line: 1,000 contacts, of whom 50 are in the directory.
enum BookText {
    static let contacts = 1_000
    static let present = 50

    /// One of many books for a directory of `count` people. Each has different people and strangers.
    static func make(_ book: Int, of count: Int) -> String {
        (0..<contacts).map { line in
            line % (contacts / present) == 0
                ? presentAddress(book * present + line / (contacts / present), of: count)
                : absentAddress(book * contacts + line)
        }.joined(separator: "\n")
    }

    /// A person in the directory. People with subsequent numbers are far from each other in it.
    static func presentAddress(_ number: Int, of count: Int) -> String {
        "Person.\(number * 7_919 % count)@Example.com"
    }

    static func absentAddress(_ number: Int) -> String { "Nobody.\(number)@Example.org" }
}
