import Kinfolk
import KinfolkModel
import KinfolkRecords

/// Comparisons of values as docs/queries.md describes them, written without the code of queries.
enum ObviousComparison {
    /// Whether two single values are equal. Numbers of both types are compared.
    static func areEqual(_ left: FieldValue, _ right: FieldValue) -> Bool {
        switch (left, right) {
        case (.string(let left), .string(let right)): folded(left) == folded(right)
        case (.bytes(let left), .bytes(let right)): left == right
        case (.reference(let left), .reference(let right)): left.target == right.target
        case (.boolean(let left), .int64(let right)): (left ? 1 : 0) == right
        case (.boolean(let left), .boolean(let right)): left == right
        case (.date(let left), .date(let right)): left == right
        case (.int64(let left), .int64(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.int64(let left), .double(let right)): right == right.rounded() && Int64(exactly: right) == left
        case (.double(let left), .int64(let right)): left == left.rounded() && Int64(exactly: left) == right
        default: false
        }
    }

    /// Whether one value comes before another; nil if they have no order.
    static func isLess(_ left: FieldValue, _ right: FieldValue) -> Bool? {
        switch (left, right) {
        case (.string(let left), .string(let right)): folded(left).lexicographicallyPrecedes(folded(right))
        case (.date(let left), .date(let right)): left.microseconds < right.microseconds
        case (.int64(let left), .int64(let right)): left < right
        case (.boolean(let left), .boolean(let right)): !left && right
        case (.boolean(let left), .int64(let right)): (left ? 1 : 0) < right
        case (.double(let left), .double(let right)): left.isNaN || right.isNaN ? nil : left < right
        case (.int64(let left), .double(let right)): right.isNaN ? nil : compare(right, left) > 0
        case (.double(let left), .int64(let right)): left.isNaN ? nil : compare(left, right) < 0
        default: nil
        }
    }

    /// Less than 0, 0, or more than 0: how a number compares with a whole one, without rounding.
    private static func compare(_ number: Double, _ whole: Int64) -> Int {
        if number >= 9_223_372_036_854_775_808 { return 1 }
        if number < -9_223_372_036_854_775_808 { return -1 }
        let floor = Int64(number.rounded(.down))
        if floor != whole { return floor < whole ? -1 : 1 }
        return number > number.rounded(.down) ? 1 : 0
    }

    private static func folded(_ text: String) -> [UInt8] { IndexValue.all(of: .string(text)).first?.bytes ?? [] }

    static func hasPrefix(_ text: String, _ prefix: String) -> Bool {
        Array(decomposed(text)).starts(with: Array(decomposed(prefix)))
    }

    static func contains(_ text: String, _ part: String) -> Bool {
        let (text, part) = (Array(decomposed(text)), Array(decomposed(part)))
        guard part.count <= text.count else { return false }
        return (0...text.count - part.count).contains { text[$0...].starts(with: part) }
    }

    /// The scalars in NFD, which the test computes from Swift's own normalisation of equal characters.
    private static func decomposed(_ text: String) -> [Unicode.Scalar] {
        var scalars: [Unicode.Scalar] = []
        for character in text {
            // Two spellings of a character are equal in Swift. The longest one is the decomposed one.
            scalars += QueryCharacters.decompositions[character] ?? Array(character.unicodeScalars)
        }
        return scalars
    }
}

/// The characters of ``QuerySamples`` that have several spellings.
enum QueryCharacters {
    static let decompositions: [Character: [Unicode.Scalar]] = [
        "\u{e9}": ["e", "\u{301}"], "\u{c9}": ["E", "\u{301}"], "\u{1f0}": ["j", "\u{30c}"],
        "\u{3af}": ["\u{3b9}", "\u{301}"],
        "\u{38a}": ["\u{399}", "\u{301}"],
    ]
}
