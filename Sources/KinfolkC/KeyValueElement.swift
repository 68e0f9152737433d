import Kinfolk

/// A value for the key-value store, with what is known of it.
final class KeyValueElement: Sendable {
    let value: PropertyListValue
    let measure: (depth: Int, size: Int)

    init(_ value: PropertyListValue) { (self.value, measure) = (value, value.measure) }
}
