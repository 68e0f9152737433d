import TestSupport

/// An invented person. The same number always gives the same person.
///
/// Each text has more than eight bytes, so that it is not in a file by chance.
struct InventedPerson: Sendable {
    let givenName: String
    let familyName: String
    /// As the person writes it.
    let address: String
    /// A second address of this person.
    let otherAddress: String

    init(_ number: Int) {
        var generator = SeededGenerator(seed: UInt64(number))
        func word(_ syllables: Int, marked: Bool) -> String {
            let consonants = ["b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z"]
            let vowels = ["a", "e", "i", "o", "u"]
            var word = ""
            for _ in 0..<syllables {
                word += consonants.randomElement(using: &generator) ?? ""
                word += vowels.randomElement(using: &generator) ?? ""
            }
            return marked ? word + "ł" : word
        }
        // The number distinguishes people who got the same syllables.
        let given = word(5, marked: number.isMultiple(of: 5))
        let family = word(6, marked: number.isMultiple(of: 7))
        givenName = given.capitalized
        familyName = family.capitalized
        let isCapitalized = number.isMultiple(of: 3)
        let local = "\(given).\(family).\(number)"
        address = isCapitalized ? "\(local.capitalized)@Example.com" : "\(local)@example.com"
        otherAddress = "\(family)-\(given)-\(number)@mail.example.org"
    }
}

extension String {
    fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
