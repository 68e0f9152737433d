import KinfolkCore
package import KinfolkCrypto

/// Numbers that a service has taken from the store.
package struct LeasedNumbers: Sendable {
    package private(set) var numbers: Range<Int64>
    /// The key stamp of the store at that time. A restored store has another one.
    package let stamp: Tag

    package static let none = LeasedNumbers(numbers: 0..<0, stamp: Tag())

    package init(numbers: Range<Int64>, stamp: Tag) { (self.numbers, self.stamp) = (numbers, stamp) }

    /// Takes the first `count` numbers. Nil if there are fewer.
    mutating func take(_ count: Int) -> LeasedNumbers? {
        guard numbers.count >= count else { return nil }
        let end = numbers.lowerBound + Int64(count)
        defer { numbers = end..<numbers.upperBound }
        return LeasedNumbers(numbers: numbers.lowerBound..<end, stamp: stamp)
    }
}
