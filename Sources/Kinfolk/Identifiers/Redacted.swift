/// A type that holds what should stand in no log: printing a value, interpolating it, `dump` and a debugger show its type, and
/// at most how much it holds.
///
/// Names, addresses, labels, hashes, codes and whom a person knows are read by the properties that are named for them.
public protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    /// The name of the type.
    public var description: String { String(describing: Self.self) }

    /// The same as the description.
    public var debugDescription: String { description }

    /// Without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
